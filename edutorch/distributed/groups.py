"""Process groups: the ranks that take part in a collective."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from .errors import DistBackendError, DistStoreError
from .mpi_world import World
from .store import Store

__all__ = [
    "GroupMember", "ProcessGroup", "destroy_process_group", "get_backend",
    "get_global_rank", "get_group_rank", "get_process_group_ranks", "get_rank",
    "get_world_size", "group", "is_initialized", "member_group", "new_group",
    "new_subgroups", "new_subgroups_by_enumeration", "store_barrier",
]  # fmt: skip

NOT_INITIALIZED = (
    "Default process group has not been initialized, please make sure to call "
    "init_process_group."
)


class ProcessGroup:
    """Some ranks that communicate among themselves.

    Attributes:
        ranks: their numbers in the world, in the order of their numbers in the group.
        comm: MPI's communicator.
        timeout: how long a collective may take.
    """

    def __init__(
        self,
        world: World,
        comm: Any,
        ranks: Sequence[int],
        name: str,
        backend: str,
        timeout: timedelta,
        store: Store | None,
    ) -> None:
        self.world, self.comm, self.ranks = world, comm, list(ranks)
        self.group_name, self.group_desc = name, ""
        self.backend, self.timeout, self.store = backend, timeout, store
        self.count = self.ended = 0  # collectives begun and ended
        self.barriers = 0  # monitored ones
        self.latest = "nothing yet"

    def rank(self) -> int:
        """The number of this process in the group."""
        return self.ranks.index(self.world.rank)

    def size(self) -> int:
        """The number of ranks in the group."""
        return len(self.ranks)

    def name(self) -> str:
        """The backend's name."""
        return self.backend

    def label(self) -> str:
        """The group in words, for messages."""
        if len(self.ranks) == self.world.size:
            return f"the group of all {self.world.size} ranks"
        return f"the group of ranks {self.ranks}"

    def local(self, rank: int) -> int:
        """The number in the group of a rank of the world.

        Raises:
            ValueError: if it is not in the group.
        """
        if rank not in self.ranks:
            raise ValueError(
                f"Global rank {rank} is not part of group {self.group_name}"
            )
        return self.ranks.index(rank)

    def begin(self, name: str) -> None:
        """Count a collective that begins.

        Raises:
            DistBackendError: if an earlier one has failed.
        """
        if self.world.broken:
            raise DistBackendError(
                f"{name} cannot begin: an earlier collective failed: "
                f"{self.world.broken}"
            )
        self.count += 1
        self.latest = name

    def doing(self) -> str:
        """What this rank is doing in the group."""
        word = "after" if self.ended == self.count else "in"
        return f"{word} collective {self.count}, {self.latest}"

    def late(self, ranks: Sequence[int], limit: float) -> str:
        """Whom a collective has waited for in vain, and what they are doing."""
        text = f"timed out after {limit:g} s"
        peers = self.world.peers
        if peers is None:
            return text
        answers = peers.ask(ranks)
        lines = [
            f"rank {r}: {answers.get(r, 'does not answer')}"
            for r in ranks
            if r != self.world.rank
        ]
        mine = f"rank {self.world.rank}: {self.world.doing()}"
        return "; ".join([text + ", this is what each rank was doing: " + mine, *lines])

    def __repr__(self) -> str:
        return f"<ProcessGroup {self.group_name} of ranks {self.ranks}>"


class _State:
    """The groups of this process."""

    def __init__(self) -> None:
        self.default: ProcessGroup | None = None
        self.groups: dict[str, ProcessGroup] = {}
        self.made = 0  # groups so far: a name for the next


STATE = _State()


class _GroupMeta(type):
    @property
    def WORLD(cls) -> ProcessGroup | None:  # noqa: N802 (PyTorch's name)
        """The group of all ranks."""
        return STATE.default


class group(metaclass=_GroupMeta):  # noqa: N801 (PyTorch's name)
    """`group.WORLD` is the group of all ranks."""


class GroupMember(metaclass=_GroupMeta):
    """`GroupMember.NON_GROUP_MEMBER`: what `new_group` gives to who is not in it."""

    NON_GROUP_MEMBER = -100


def is_initialized() -> bool:
    """Whether there is a default process group.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_initialized()
        False
    """
    return STATE.default is not None


def default_group() -> ProcessGroup:
    """The group of all ranks.

    Raises:
        ValueError: before `init_process_group`.
    """
    if STATE.default is None:
        raise ValueError(NOT_INITIALIZED)
    return STATE.default


def member_group(group: Any) -> ProcessGroup | None:
    """The group that an argument means; None if this process is not in it."""
    if group is None:
        return default_group()
    return group if isinstance(group, ProcessGroup) else None


def get_rank(group: Any = None) -> int:
    """The number of this process in a group; -1 if it is not in it.

    Raises:
        ValueError: before `init_process_group`.
    """
    found = member_group(group)
    return -1 if found is None else found.rank()


def get_world_size(group: Any = None) -> int:
    """The number of ranks in a group; -1 if this process is not in it.

    Raises:
        ValueError: before `init_process_group`.
    """
    found = member_group(group)
    return -1 if found is None else found.size()


def get_backend(group: Any = None) -> str:
    """The backend's name, as `init_process_group` got it.

    Raises:
        ValueError: before `init_process_group`, or if this process is not in it.
    """
    found = member_group(group)
    if found is None:
        raise ValueError("Invalid process group specified")
    return found.backend


def get_process_group_ranks(group: Any) -> list[int]:
    """The numbers in the world of all ranks of a group."""
    found = member_group(group)
    return [] if found is None else list(found.ranks)


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The number in a group of a rank of the world.

    Raises:
        ValueError: if it is not in the group.
    """
    return group.local(global_rank)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The number in the world of a rank of a group.

    Raises:
        ValueError: if there is none of that number.
    """
    if not 0 <= group_rank < len(group.ranks):
        raise ValueError(
            f"Group rank {group_rank} is not part of group {group.group_name}"
        )
    return group.ranks[group_rank]


def store_barrier(
    store: Store,
    name: str,
    rank: int,
    size: int,
    timeout: timedelta,
    problem: Callable[[], str | None] = lambda: None,
) -> None:
    """Wait until all ranks have come, and say which have not.

    Args:
        problem: says why some will never come.

    Raises:
        DistBackendError: if some do not come in time.
    """
    store.set(f"{name}/{rank}", "here")
    keys = [f"{name}/{r}" for r in range(size)]
    until = time.monotonic() + timeout.total_seconds()
    why = None
    while why is None:
        try:
            return store.wait(keys, min(timeout, timedelta(seconds=0.5)))
        except DistStoreError:
            why = problem()
            if why is None and time.monotonic() > until:
                why = f"they had {timeout.total_seconds():g} s"
    absent = [r for r in range(size) if not store.check([keys[r]])]
    raise DistBackendError(f"ranks {absent} of {size} did not come to {name}: {why}")


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
    device_id: Any = None,
) -> Any:
    """Make a group of some ranks; all ranks of the world call this, in one order.

    Returns:
        The group, or `GroupMember.NON_GROUP_MEMBER` in a process outside it.

    Raises:
        ValueError: before `init_process_group`, for ranks that are not there or twice.
    """
    whole = default_group()
    chosen = sorted(range(whole.size()) if ranks is None else ranks)
    if len(set(chosen)) != len(chosen):
        raise ValueError(f"the new group's ranks hold duplicates: {list(ranks or ())}")
    for rank in chosen:
        if not 0 <= rank < whole.size():
            raise ValueError(
                f"Rank {rank} is out of range. Valid ranks are 0 to "
                f"{whole.size() - 1} (world_size={whole.size()})"
            )
    STATE.made += 1
    if whole.rank() not in chosen:
        return GroupMember.NON_GROUP_MEMBER
    name = str(STATE.made)
    made = ProcessGroup(
        whole.world,
        _communicator(whole, chosen, f"group{name}", timeout or whole.timeout),
        chosen,
        name,
        backend or whole.backend,
        timeout or whole.timeout,
        whole.store,
    )
    made.group_desc = group_desc or "undefined"
    STATE.groups[name] = made
    return made


def _communicator(
    whole: ProcessGroup, ranks: list[int], name: str, timeout: timedelta
) -> Any:
    """MPI's communicator of some ranks, made once all of them have come."""
    if len(ranks) > 1 and whole.store is not None:
        place = ranks.index(whole.rank())
        members = [whole.ranks[rank] for rank in ranks]
        store_barrier(
            whole.store, name, place, len(ranks), timeout,
            lambda: whole.world.problem(members),
        )  # fmt: skip
    chosen = whole.world.comm.Get_group().Incl(ranks)
    try:
        return whole.world.comm.Create_group(chosen, STATE.made % 32768)
    finally:
        chosen.Free()


def new_subgroups(
    group_size: int | None = None,
    group: Any = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[Any, list[Any]]:
    """Split the world into groups of neighbours; returns this rank's and all of them.

    Args:
        group_size: ranks of each group; by default the ranks of this machine.

    Raises:
        ValueError: if the world cannot be divided so.
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
    """Make several groups without common ranks; returns this rank's and all of them.

    Raises:
        ValueError: if a rank is in two of them.
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
    """End a group; the default one ends all.

    Raises:
        ValueError: for a group that is not there.
    """
    found = member_group(group)
    if found is None:
        return
    if found is STATE.default:
        ending = [*STATE.groups.values(), found]
        STATE.groups.clear()
        STATE.default = None
        STATE.made = 0
    elif STATE.groups.pop(found.group_name, None) is not found:
        raise ValueError("Invalid process group specified or has been destroyed.")
    else:
        ending = [found]
    for one in ending:
        if not one.world.broken:
            one.comm.Free()
