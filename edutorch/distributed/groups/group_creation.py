"""Creation and destruction of process groups."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from zlib import crc32

from ..backends import Backend
from ..stores.store import Store, wait_for_ranks
from .group_registry import REGISTRY, GroupMember, default_group, resolve_group
from .process_group import ProcessGroup

__all__ = [
    "destroy_process_group", "new_group", "new_subgroups",
    "new_subgroups_by_enumeration", "split_group", "store_barrier",
]  # fmt: skip


def store_barrier(
    store: Store,
    name: str,
    rank: int,
    ranks: Sequence[int],
    timeout: timedelta,
    find_failure: Callable[[], str | None] = lambda: None,
) -> None:
    """Wait until some ranks, this one included, have arrived; name those that have not.

    Args:
        find_failure: returns why some will never arrive, or None.

    Raises:
        DistBackendError: if some do not arrive in time.
    """
    store.set(f"{name}/{rank}", "here")
    wait_for_ranks(store, name, name, ranks, timeout, find_failure)


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
    device_id: Any = None,
) -> Any:
    """Create a group of some ranks; all ranks must call this, in the same order.

    Returns:
        The group, or `GroupMember.NON_GROUP_MEMBER` in a process outside it.

    Raises:
        ValueError: before `init_process_group`, for ranks that do not exist or repeat,
            and for an unknown backend.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> pair = dist.new_group([0])  # on four ranks perhaps [0, 2]
        >>> x = torch.ones(2)
        >>> dist.all_reduce(x, group=pair)
        >>> x
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    whole = default_group()
    backend = whole.backend if backend is None else Backend(backend)
    chosen = sorted(range(whole.size()) if ranks is None else ranks)
    if len(set(chosen)) != len(chosen):
        raise ValueError(
            f"ranks list must not contain duplicate entries, got {list(ranks or ())}"
        )
    for rank in chosen:
        if not 0 <= rank < whole.size():
            raise ValueError(
                f"Rank {rank} is out of range. Valid ranks are 0 to "
                f"{whole.size() - 1} (world_size={whole.size()})"
            )
    REGISTRY.created += 1
    if whole.rank() not in chosen:
        return GroupMember.NON_GROUP_MEMBER
    limit = timeout or whole.timeout
    return _create_group(chosen, str(REGISTRY.created), backend, limit, group_desc)


def _create_group(
    ranks: list[int], name: str, backend: str, timeout: timedelta, desc: str | None
) -> ProcessGroup:
    """The group of some ranks of the world; its name is the same on all of them."""
    whole = default_group()
    comm = _create_communicator(whole, ranks, name, timeout)
    made = ProcessGroup(whole.world, comm, ranks, name, backend, timeout, whole.store)
    made.group_desc = desc or "undefined"
    REGISTRY.groups[name] = made
    return made


def _create_communicator(
    whole: ProcessGroup, ranks: list[int], name: str, timeout: timedelta
) -> Any:
    """MPI's communicator of some ranks, created once all of them have arrived."""
    if len(ranks) > 1 and whole.store is not None:
        store_barrier(
            whole.store, f"making group {name} of ranks {ranks}", whole.rank(), ranks,
            timeout, lambda: whole.world.find_failure(ranks),
        )  # fmt: skip
    chosen = whole.world.comm.Get_group().Incl(ranks)
    try:
        return whole.world.call_with_timeout(
            lambda: whole.world.comm.Create_group(chosen, crc32(name.encode()) % 32768),
            f"making the group of ranks {ranks}",
            ranks,
            timeout,
        )
    finally:
        chosen.Free()


def split_group(
    parent_pg: Any = None,
    split_ranks: Sequence[Sequence[int]] | None = None,
    timeout: timedelta | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
    backend: str | None = None,
) -> ProcessGroup | None:
    """Split a group: returns the part with this rank, or None if no part has it.

    All ranks of the group must call this, in the same order; others need not.

    Args:
        split_ranks: the parts, as lists of ranks in the group.

    Raises:
        RuntimeError: in a process outside the group.
        ValueError: for no parts or an empty one, for ranks in several of them, or ranks
            that do not exist.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.split_group(split_ranks=[[0]])  # on four ranks [[0, 1], [2, 3]]
        <ProcessGroup 0/1.0 of ranks [0]>
        >>> dist.destroy_process_group()
    """
    parent = resolve_group(parent_pg)
    if parent is None:
        raise RuntimeError("this process is not in the group that is to be split")
    parts = [sorted(part) for part in split_ranks or ()]
    _check_split_ranks(parts, parent.size())
    parent.splits += 1
    for i, part in enumerate(parts):
        if parent.rank() in part:
            name = f"{parent.group_name}/{parent.splits}.{i}"
            ranks = [parent.ranks[rank] for rank in part]
            kind = parent.backend if backend is None else Backend(backend)
            return _create_group(
                ranks, name, kind, timeout or parent.timeout, group_desc
            )
    return None


def _check_split_ranks(parts: list[list[int]], size: int) -> None:
    if not parts:
        raise ValueError("split_ranks cannot be None or empty")
    if not all(parts):
        raise ValueError("the split group cannot be empty")
    flat = [rank for part in parts for rank in part]
    if len(set(flat)) != len(flat):
        raise ValueError(f"the split group cannot have duplicate ranks: {parts}")
    if any(not 0 <= rank < size for rank in flat):
        raise ValueError(f"the group has {size} ranks, too few for the parts {parts}")


def new_subgroups(
    group_size: int | None = None,
    group: Any = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[Any, list[Any]]:
    """Split a group into groups of neighbours; returns this rank's and all of them.

    Args:
        group_size: ranks per group; by default the number that the launcher started on
            this machine, or all ranks.

    Raises:
        ValueError: if the ranks cannot be divided into such groups.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mine, every = dist.new_subgroups(group_size=1)
        >>> mine in every
        True
        >>> dist.destroy_process_group()
    """
    whole = default_group() if group is None else group
    size = group_size or int(os.environ.get("LOCAL_WORLD_SIZE", whole.size()))
    total = whole.size()
    if size <= 0:
        raise ValueError(f"The arg 'group_size' ({size}) must be positive")
    if total < size:
        raise ValueError(
            f"The arg 'group_size' ({size}) must not exceed the world size ({total})"
        )
    if total % size:
        raise ValueError(
            f"The world size ({total}) must be divisible by 'group_size={size}'"
        )
    parts = [whole.ranks[i : i + size] for i in range(0, total, size)]
    return new_subgroups_by_enumeration(parts, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: Sequence[Sequence[int]],
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[Any, list[Any]]:
    """Create disjoint groups; returns this rank's and all of them.

    Raises:
        ValueError: if a rank is in several of them.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mine, every = dist.new_subgroups_by_enumeration([[0]])
        >>> mine is every[0]
        True
        >>> dist.destroy_process_group()
    """
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    flat = [rank for ranks in ranks_per_subgroup_list for rank in ranks]
    if len(set(flat)) != len(flat):
        twice = next(rank for rank in flat if flat.count(rank) > 1)
        raise ValueError(f"Rank {twice} has appeared in both subgroups")
    made = [
        new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        for ranks in ranks_per_subgroup_list
    ]
    own = [g for g in made if isinstance(g, ProcessGroup)]
    return (own[0] if own else None), made


def destroy_process_group(group: Any = None) -> None:
    """Destroy a group; without one, all groups.

    Raises:
        ValueError: for a group that does not exist.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.is_initialized()
        True
        >>> dist.destroy_process_group()
        >>> dist.is_initialized()
        False
    """
    found = resolve_group(group)
    if found is None:
        return
    if found is REGISTRY.default:
        ending = [*REGISTRY.groups.values(), found]
        REGISTRY.groups.clear()
        REGISTRY.default = None
        REGISTRY.created = 0
    elif REGISTRY.groups.pop(found.group_name, None) is not found:
        raise ValueError("Invalid process group specified or has been destroyed.")
    else:
        ending = [found]
    for one in ending:
        if not one.world.failure:
            one.comm.Free()
