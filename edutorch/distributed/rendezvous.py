"""`init_process_group`: how the processes of a program find each other."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlparse

from .backends import Backend
from .errors import DistNetworkError
from .groups.group_creation import store_barrier
from .groups.group_registry import REGISTRY
from .groups.process_group import ProcessGroup
from .stores.file_store import FileStore
from .stores.store import PrefixStore, Store
from .stores.tcp_store import TCPStore
from .world.mpi_world import init_world, launched_by_mpiexec

__all__ = [
    "default_pg_timeout", "get_node_local_rank", "init_process_group",
    "is_torchelastic_launched",
]  # fmt: skip


default_pg_timeout = timedelta(minutes=30)


def is_torchelastic_launched() -> bool:
    """Whether `python -m edutorch run` started this process.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_torchelastic_launched()
        False
    """
    return "TORCHELASTIC_RUN_ID" in os.environ


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The rank of this process on its machine, as set by the launcher.

    Args:
        fallback_rank: the result if no launcher started the process.

    Raises:
        RuntimeError: without a launcher and `fallback_rank`.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.get_node_local_rank(fallback_rank=0)
        0
    """
    said = os.environ.get("LOCAL_RANK", fallback_rank)
    if said is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment. Consider passing fallback_rank: "
            "it is returned if no launcher started the process"
        )
    return int(said)


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Store | None = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
) -> None:
    """Join the other processes of a program, and create the group of all of them.

    Args:
        backend: "gloo", "nccl" or "mpi"; MPI serves all three.
        init_method: where they meet: "env://" (RANK, WORLD_SIZE, MASTER_ADDR and
            MASTER_PORT in the environment), "tcp://host:port" or "file:///path".
            A program started by `mpiexec` needs none of it.
        timeout: how long each collective may take; 30 minutes by default.
        store: replaces `init_method`; requires `rank` and `world_size`.

    Raises:
        ValueError: if there is a group already, or a value is missing.
        AssertionError: for a store with `init_method`, or without rank or world size.
        RuntimeError: for another kind of URL.
        DistBackendError: if some processes do not arrive in time.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_rank(), dist.get_world_size()
        (0, 1)
        >>> dist.destroy_process_group()
    """
    if REGISTRY.default is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if timeout is not None and not isinstance(timeout, timedelta):
        raise TypeError(
            f"Expected timeout argument to be of type datetime.timedelta, got {timeout}"
        )
    name = Backend(backend or "gloo")
    limit = default_pg_timeout if timeout is None else timeout
    host = None
    if store is not None:
        if rank < 0 or world_size < 1:
            raise AssertionError("world_size and rank are needed with a store")
    elif not _ranks_known_to_mpi(init_method, rank):
        store, rank, world_size, host = _rendezvous(
            init_method, rank, world_size, limit
        )
    _create_default_group(str(name), store, rank, world_size, host, limit)


def _ranks_known_to_mpi(init_method: str | None, rank: int) -> bool:
    """Whether MPI knows the rank and the number of ranks."""
    return init_method in {None, "env://"} and rank < 0 and launched_by_mpiexec()


_init_count = 0  # default groups so far; part of the names of their keys


def _create_default_group(
    backend: str,
    store: Store | None,
    rank: int,
    size: int,
    host: str | None,
    timeout: timedelta,
) -> None:
    global _init_count
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    run = None if store is None else PrefixStore(f"attempt{attempt}", store)

    def find_failure() -> str | None:
        """The launcher's report about a process that has failed."""
        try:
            failed = run is not None and run.check(["failed"])
            return run.get("failed").decode() if run and failed else None
        except DistNetworkError as error:  # the process that holds the store has ended
            return str(error)

    if run is not None:
        store = PrefixStore(f"default{_init_count}", run)
        store.set_timeout(timeout)
        ranks = range(size)
        store_barrier(store, "init_process_group", rank, ranks, timeout, find_failure)
    world = init_world(store, rank, size, host, timeout, find_failure)
    if store is None and world.size > 1:
        store = PrefixStore(f"default{_init_count}", _create_mpi_store(world, timeout))
    _init_count += 1
    ranks = range(world.size)
    comm = world.call_with_timeout(world.comm.Dup, "init_process_group", ranks, timeout)
    REGISTRY.default = ProcessGroup(world, comm, ranks, "0", backend, timeout, store)
    REGISTRY.default.group_desc = "default_pg"
    world.status = _status


def _status() -> str:
    """A description of what this rank is doing, for the messages of other ranks."""
    if REGISTRY.default is None:
        return "has destroyed its process group"
    groups = [REGISTRY.default, *REGISTRY.groups.values()]
    texts = [f"{g.status()}, of {g.describe()}" for g in groups if g.count]
    return ", ".join(texts) or "before its first collective"


_world_store: TCPStore | None = None


def _create_mpi_store(world: Any, timeout: timedelta) -> TCPStore:
    """A store for ranks that MPI has connected; rank 0 holds it."""
    global _world_store
    if _world_store is None:
        host = world.coordinator.host
        made = None
        if world.rank == 0:
            made = TCPStore(host, 0, is_master=True, timeout=timeout)
        port = world.call_with_timeout(
            lambda: world.comm.bcast(made.port if made else None),
            "init_process_group", range(world.size), timeout,
        )  # fmt: skip
        _world_store = made or TCPStore(host, port, timeout=timeout)
    return _world_store


# ---- the store at which processes meet


def _rendezvous(
    url: str | None, rank: int, world_size: int, timeout: timedelta
) -> tuple[Store, int, int, str | None]:
    """The store, the rank, the number of ranks and the host of rank 0 for a URL.

    Raises:
        RuntimeError: for another kind of URL.
        ValueError: if something is missing.
    """
    parts = urlparse(url or "env://")
    query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    rank = int(query.get("rank", rank))
    world_size = int(query.get("world_size", world_size))
    if parts.scheme == "env":
        return _from_environment(rank, world_size, timeout)
    if parts.scheme not in {"tcp", "file"}:
        raise RuntimeError(f"No rendezvous handler for {parts.scheme}://")
    for name, value in (("rank", rank), ("world_size", world_size)):
        if value < 0:
            raise ValueError(
                f"Error initializing torch.distributed using {parts.scheme}:// "
                f"rendezvous: {name.replace('_', ' ')} parameter missing"
            )
    if parts.scheme == "file":
        path = parts.netloc + parts.path
        if not path:
            raise ValueError(
                "Error initializing torch.distributed using file:// rendezvous: "
                "path missing"
            )
        return FileStore(path, world_size), rank, world_size, None
    if not parts.port:
        raise ValueError(
            "Error initializing torch.distributed using tcp:// rendezvous: "
            "port number missing"
        )
    host = str(parts.hostname)
    return _tcp_store(host, parts.port, rank, timeout), rank, world_size, host


def _from_environment(
    rank: int, world_size: int, timeout: timedelta
) -> tuple[Store, int, int, str]:
    """The same from RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT."""

    def required(name: str) -> str:
        value = os.environ.get(name)
        if value is None:
            raise ValueError(
                "Error initializing torch.distributed using env:// rendezvous: "
                f"environment variable {name} expected, but not set"
            )
        return value

    rank = int(required("RANK")) if rank < 0 else rank
    world_size = int(required("WORLD_SIZE")) if world_size < 0 else world_size
    host, port = required("MASTER_ADDR"), int(required("MASTER_PORT"))
    return _tcp_store(host, port, rank, timeout), rank, world_size, host


_stores: dict[tuple[str, int], TCPStore] = {}


def _tcp_store(host: str, port: int, rank: int, timeout: timedelta) -> TCPStore:
    """The store at an address; reused if the process creates groups again."""
    if (host, port) not in _stores:
        hosts = rank == 0 and not _launcher_hosts_store(port)
        _stores[host, port] = TCPStore(host, port, is_master=hosts, timeout=timeout)
    return _stores[host, port]


def _launcher_hosts_store(port: int) -> bool:
    """Whether the launcher of this process holds the store at this port.

    A program run by a launcher may start ranks of its own, which inherit its
    environment and meet at another port.
    """
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return False
    return os.environ.get("EDUTORCH_RUN_PORT", str(port)) == str(port)
