"""This process as part of an MPI world: initialization and finalization.

A process that `mpiexec` has started is in a world already. Others (of `spawn`, of
`python -m edutorch run`, begun by hand with RANK and WORLD_SIZE) meet through a
store, and a coordinator that rank 0 starts makes one world of them.

Processes finalize MPI together when they end. Once a rank has failed, MPI's own
finalization would wait for it for ever, so it is skipped.
"""

from __future__ import annotations

import atexit
import faulthandler
import multiprocessing.util
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from ...extras import install_command
from ..errors import DistBackendError
from ..stores.store import Store, wait_for_ranks
from .comm_self import CommSelf, SelfMPI
from .coordinator import start_coordinator
from .coordinator_client import CoordinatorClient

__all__ = [
    "FAILURE_NOTICE_SECONDS", "World", "init_world", "launched_by_mpiexec",
    "mpi_module", "node_id", "report_failure",
]  # fmt: skip

LAUNCHER_VARIABLES = (
    "PMI_FD", "PMI_PORT", "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
)  # fmt: skip
# Seconds for the coordinator to report a rank that has died.
FAILURE_NOTICE_SECONDS = 1.0
T = TypeVar("T")
_world: World | None = None


def mpi_module(seconds: float) -> Any:
    """The module `mpi4py.MPI`, started so that every thread may call it.

    Args:
        seconds: after which the process ends if the start does not.

    Raises:
        RuntimeError: if mpi4py is not installed.
    """
    try:
        import mpi4py
    except ModuleNotFoundError as error:
        raise RuntimeError(
            "Distributed package doesn't have MPI built in; install mpi4py and MPICH: "
            f"{install_command('distributed')}"
        ) from error
    if "mpi4py.MPI" not in sys.modules:
        mpi4py.rc.initialize = mpi4py.rc.finalize = False
    from mpi4py import MPI

    if not MPI.Is_initialized():
        # It waits for the other ranks, and holds the interpreter lock: if one dies now,
        # this one would never end.
        faulthandler.dump_traceback_later(seconds, exit=True)
        try:
            MPI.Init_thread(MPI.THREAD_MULTIPLE)
        finally:
            faulthandler.cancel_dump_traceback_later()
    return MPI


def launched_by_mpiexec() -> bool:
    """Whether `mpiexec`, or a scheduler that speaks its protocol, began the process."""
    return any(name in os.environ for name in LAUNCHER_VARIABLES)


class World:
    """All ranks of this run: MPI's communicator, and the connection to the coordinator.

    Attributes:
        comm: the communicator of all ranks, in the order of their ranks.
        coordinator: the connection to it; None in a world of one.
        failure: why no more communication is possible, or None.
    """

    def __init__(
        self, mpi: Any, comm: Any, coordinator: CoordinatorClient | None
    ) -> None:
        self.mpi, self.comm, self.coordinator = mpi, comm, coordinator
        self.rank, self.size = int(comm.rank), int(comm.size)
        self.failure: str | None = None
        self.status: Callable[[], str] = lambda: "nothing"
        self.abandoned_requests: list[Any] = []  # never completed; with their memory
        self.process = os.getpid()
        self.finalized = False
        self.timeout = timedelta(minutes=30)

    def find_failure(self, ranks: Iterable[int]) -> str | None:
        """Why some ranks cannot be reached, or None."""
        return (
            None if self.coordinator is None else self.coordinator.find_failure(ranks)
        )

    def call_with_timeout(
        self, call: Callable[[], T], name: str, ranks: Iterable[int], limit: timedelta
    ) -> T:
        """The result of a blocking MPI call, which is abandoned if a rank is gone.

        It runs in its own thread, which then waits in vain until the program ends.

        Args:
            name: the call in words.
            ranks: whom it waits for.

        Raises:
            DistBackendError: if one of them is gone, or time is over.
        """
        if self.coordinator is None:
            return call()
        found: Future[T] = Future()
        caller = threading.Thread(target=_run_into, args=(call, found), daemon=True)
        caller.start()
        until = time.monotonic() + limit.total_seconds()
        while True:
            try:
                return found.result(timeout=0.02)
            except TimeoutError:
                why = self.find_failure(ranks)
            except self.mpi.Exception as error:
                time.sleep(FAILURE_NOTICE_SECONDS)
                why = self.find_failure(ranks) or f"MPI refused: {error}"
            if why is None and time.monotonic() > until:
                why = f"timed out after {limit.total_seconds():g} s"
            if why is not None:
                self.failure = self.failure or why
                raise DistBackendError(f"{name} on rank {self.rank} failed: {why}")

    def describe(self) -> str:
        """A description of what this rank is doing."""
        return self.status()

    def finalize(self) -> None:
        """End: all together, or alone where one has failed."""
        if self.finalized or self.process != os.getpid():  # or in a forked child
            return
        self.finalized = True
        if self.coordinator is None:
            if not self.mpi.Is_finalized():
                self.mpi.Finalize()
        elif self.failure:
            self.coordinator.announce_failure(self.failure)
        else:
            self.coordinator.announce_exit()
            if self._finalize_barrier():
                self.mpi.Finalize()

    def _finalize_barrier(self) -> bool:
        """Wait until the programs of all ranks have ended; False if one has failed."""
        if self.mpi.Is_finalized() or self.coordinator is None:
            return False
        request = self.comm.Ibarrier()
        until = time.monotonic() + self.timeout.total_seconds()
        while not request.Test():
            if (
                self.coordinator.failed
                or self.coordinator.disconnected
                or time.monotonic() > until
            ):
                self.abandoned_requests.append(request)
                return False
            time.sleep(0.001)
        return True


def _run_into(call: Callable[[], T], found: Future[T]) -> None:
    """Run a call and store its result or exception in the future."""
    try:
        found.set_result(call())
    except Exception as error:  # noqa: BLE001 (raised where it is waited for)
        found.set_exception(error)


def init_world(
    store: Store | None,
    rank: int,
    size: int,
    host: str | None,
    timeout: timedelta,
    find_failure: Callable[[], str | None] = lambda: None,
) -> World:
    """The world of this process, entered at the first call.

    A program of one process needs no MPI, and may still join others later.

    Args:
        store: where ranks meet; None if MPI itself has introduced them.
        rank, size: of this process; -1 to take what MPI says.
        host: an address of rank 0 that the others can reach, if one is known.
        find_failure: says why some ranks will never come.

    Raises:
        DistBackendError: if the process is in a world of another size already, or
            some ranks do not come.
    """
    global _world
    if _world is None and size == 1 and not launched_by_mpiexec():
        return World(SelfMPI, CommSelf(), None)
    if _world is None:
        _world = _init(store, rank, size, host, timeout, find_failure)
        _finalize_at_exit(_world)
    elif size not in {-1, _world.size} or rank not in {-1, _world.rank}:
        raise DistBackendError(
            f"this process is rank {_world.rank} of {_world.size} since its first "
            f"process group, and cannot become rank {rank} of {size}"
        )
    if _world.failure:
        raise DistBackendError(f"an earlier collective failed: {_world.failure}")
    _world.timeout = timeout
    return _world


def _init(
    store: Store | None,
    rank: int,
    size: int,
    host: str | None,
    timeout: timedelta,
    find_failure: Callable[[], str | None],
) -> World:
    introduced = launched_by_mpiexec() or "mpi4py.MPI" in sys.modules
    port, coordinator = 0, None
    if not introduced and size > 1 and store is not None:
        host, port = _find_coordinator(store, rank, size, host, timeout, find_failure)
        coordinator = CoordinatorClient(host, port, rank, initializing=True)
        # One that dies before it is connected would not be missed in MPI's start.
        why = coordinator.barrier(range(size), timeout, find_failure)
        if why is not None:
            failure = f"init_process_group failed: {why}"
            coordinator.announce_failure(
                failure
            )  # else others would be told that this rank died
            raise DistBackendError(failure)
        if rank == 0:
            # Starting MPI stops all threads of this process, the one that serves the
            # store to the others included: they must have got their answers before.
            time.sleep(STORE_DRAIN_SECONDS)
        os.environ["PMI_PORT"] = f"{host}:{port}"
        os.environ["PMI_ID"] = str(rank)
    mpi = mpi_module(timeout.total_seconds())
    if port:  # programs started by this one are not in the world
        del os.environ["PMI_PORT"], os.environ["PMI_ID"]
    comm = mpi.COMM_WORLD
    if size not in {-1, comm.size}:
        raise DistBackendError(
            f"world_size is {size}, but MPI has started {comm.size} processes: start "
            f"the program by `mpiexec -n {size}`, or by `python -m edutorch run`, and "
            "do not import mpi4py.MPI before init_process_group"
        )
    comm = comm.Split(0, comm.rank if rank < 0 else rank)
    if comm.size == 1:
        return World(mpi, comm, None)
    if coordinator is None:
        several = comm.Split_type(mpi.COMM_TYPE_SHARED).size != comm.size
        host, port = comm.bcast(
            _start_coordinator_for_mpi(comm, several) if comm.rank == 0 else None
        )
        coordinator = CoordinatorClient(str(host), port, comm.rank)
    coordinator.initialized()
    world = World(mpi, comm, coordinator)
    coordinator.describe = world.describe
    return world


def _start_coordinator_for_mpi(comm: Any, several: bool) -> tuple[str, int]:
    """The coordinator's address, for ranks that MPI has already connected."""
    host = local_address() if several else "127.0.0.1"
    return host, start_coordinator(host, comm.size, "")


def local_address() -> str:
    """The address of this machine, as others see it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # connecting UDP sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _find_coordinator(
    store: Store,
    rank: int,
    size: int,
    host: str | None,
    timeout: timedelta,
    find_failure: Callable[[], str | None],
) -> tuple[str, int]:
    """The address of the coordinator, which rank 0 starts when it knows all machines.

    Raises:
        DistBackendError: if a rank does not come.
    """

    def wait(what: str, ranks: Sequence[int]) -> list[bytes]:
        name = "init_process_group"
        wait_for_ranks(store, name, what, ranks, timeout, find_failure)
        return store.multi_get([f"{what}/{r}" for r in ranks])

    store.set(f"machine/{rank}", node_id())
    # Each rank waits for all ranks: if it waited only for rank 0, it would report that
    # one although another is missing.
    node_ids = [m.decode() for m in wait("machine", range(size))]
    if rank == 0:
        if len(set(node_ids)) == 1:
            host = "127.0.0.1"
        host = socket.gethostbyname(host) if host else local_address()
        port = start_coordinator(host, size, process_mapping(node_ids))
        store.set("coordinator/0", f"{host}:{port}")
    host, _, text = wait("coordinator", [0])[0].decode().rpartition(":")
    return host, int(text)


STORE_DRAIN_SECONDS = 0.05  # for a store to send its last replies


def node_id() -> str:
    """A name that identifies this machine.

    Programs of one machine that have their own networks (containers, `ip netns`)
    do not reach each other through 127.0.0.1, so they count as in several machines.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        network = str(Path("/proc/self/ns/net").readlink())
    except OSError:
        boot = network = ""
    return f"{socket.gethostname()} {boot} {network}".rstrip()


def process_mapping(node_ids: list[str]) -> str:
    """Which rank is in which machine, as PMI writes it: (first, machines, ranks).

    Example:
        >>> process_mapping(["a", "a", "b", "b", "a"])
        '(vector,(0,1,2),(1,1,2),(0,1,1))'
    """
    numbers = {name: i for i, name in enumerate(dict.fromkeys(node_ids))}
    blocks: list[list[int]] = []
    for name in node_ids:
        if blocks and blocks[-1][0] == numbers[name]:
            blocks[-1][1] += 1
        else:
            blocks.append([numbers[name], 1])
    return "(vector," + ",".join(f"({n},1,{count})" for n, count in blocks) + ")"


def _finalize_at_exit(world: World) -> None:
    """Finalize at the end of the process, however it was started."""
    atexit.register(world.finalize)
    # Children forked by multiprocessing do not run Python's atexit.
    multiprocessing.util.Finalize(None, world.finalize, exitpriority=0)
    before = sys.excepthook

    def report_exception(kind: Any, error: Any, trace: Any) -> None:
        before(kind, error, trace)
        report_failure(f"{kind.__name__}: {error}")

    sys.excepthook = report_exception


def report_failure(text: str) -> None:
    """Tell all ranks that this one has failed, and how."""
    world = _world
    if (
        world is not None
        and world.coordinator is not None
        and world.process == os.getpid()
    ):
        world.failure = world.failure or text
        world.coordinator.announce_failure(text.splitlines()[0][:500] if text else "")
