"""The process groups of this process, and queries: `get_rank`, `get_world_size` ..."""

from __future__ import annotations

from typing import Any

from .process_group import ProcessGroup

__all__ = [
    "REGISTRY", "GroupMember", "default_group", "get_backend", "get_global_rank",
    "get_group_rank", "get_pg_count", "get_process_group_ranks", "get_rank",
    "get_world_size", "group", "is_initialized", "resolve_group",
]  # fmt: skip


NOT_INITIALIZED = (
    "Default process group has not been initialized, please make sure to call "
    "init_process_group."
)


class _GroupRegistry:
    """The groups of this process."""

    def __init__(self) -> None:
        self.default: ProcessGroup | None = None
        self.groups: dict[str, ProcessGroup] = {}
        self.created = 0  # the number of groups so far, which names the next one


REGISTRY = _GroupRegistry()


class _WorldGroup(type):
    @property
    def WORLD(cls) -> ProcessGroup | None:  # noqa: N802 (PyTorch's name)
        """The group of all ranks."""
        return REGISTRY.default


class group(metaclass=_WorldGroup):  # noqa: N801 (PyTorch's name)
    """`group.WORLD` is the group of all ranks.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.group.WORLD is None  # until `init_process_group`
        True
    """


class GroupMember(metaclass=_WorldGroup):
    """`GroupMember.NON_GROUP_MEMBER`: the result of `new_group` on ranks outside it.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.get_rank(dist.GroupMember.NON_GROUP_MEMBER)
        -1
    """

    NON_GROUP_MEMBER = -100


def is_initialized() -> bool:
    """Whether there is a default process group.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.is_initialized()
        False
    """
    return REGISTRY.default is not None


def default_group() -> ProcessGroup:
    """The group of all ranks.

    Raises:
        ValueError: before `init_process_group`.
    """
    if REGISTRY.default is None:
        raise ValueError(NOT_INITIALIZED)
    return REGISTRY.default


def resolve_group(group: Any) -> ProcessGroup | None:
    """The group that an argument means; None if this process is not in it.

    Raises:
        ValueError: for anything but a group, and before `init_process_group`.
    """
    if group is None:
        return default_group()
    if isinstance(group, ProcessGroup):
        return group
    if isinstance(group, int) and group == GroupMember.NON_GROUP_MEMBER:
        return None
    raise ValueError(
        f"Process group {group} is not initialized in the world group map. Please "
        "initialize the group first."
    )


def get_rank(group: Any = None) -> int:
    """The rank of this process in a group; -1 if it is not in the group.

    Raises:
        ValueError: before `init_process_group`.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_rank()
        0
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    return -1 if found is None else found.rank()


def get_world_size(group: Any = None) -> int:
    """The number of ranks in a group; -1 if this process is not in it.

    Raises:
        ValueError: before `init_process_group`.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_world_size()
        1
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    return -1 if found is None else found.size()


def get_backend(group: Any = None) -> str:
    """The name of the backend that was passed to `init_process_group`.

    Raises:
        ValueError: before `init_process_group`, or if this process is not in it.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_backend()
        'gloo'
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    if found is None:
        raise ValueError("Invalid process group specified")
    return found.backend


def get_process_group_ranks(group: Any) -> list[int]:
    """The global ranks of all members of a group.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_process_group_ranks(dist.group.WORLD)
        [0]
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    return [] if found is None else list(found.ranks)


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The rank in a group of a global rank.

    Raises:
        ValueError: if it is not in the group, or this process is not.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_group_rank(dist.new_group([0]), 0)
        0
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    if found is None:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return found.group_rank(global_rank)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The global rank of a rank in a group.

    Raises:
        ValueError: if the group has no such rank, or this process is not in it.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.get_global_rank(dist.new_group([0]), 0)
        0
        >>> dist.destroy_process_group()
    """
    found = resolve_group(group)
    if found is None or not 0 <= group_rank < len(found.ranks):
        name = group if found is None else found.group_name
        raise ValueError(f"Group rank {group_rank} is not part of group {name}")
    return found.ranks[group_rank]


def get_pg_count() -> int:
    """The number of process groups that this process belongs to.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.get_pg_count()
        0
    """
    return len(REGISTRY.groups) + (REGISTRY.default is not None)
