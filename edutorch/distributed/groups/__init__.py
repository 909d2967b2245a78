"""Process groups: the ranks that take part in a collective.

- `process_group.py`: `ProcessGroup`, its communicator, and its report after a timeout.
- `group_registry.py`: the groups of this process; get_rank, get_world_size ...
- `group_creation.py`: new_group, split_group, new_subgroups, destroy_process_group.
"""

from .group_creation import (
    destroy_process_group,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    split_group,
)
from .group_registry import (
    GroupMember,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    is_initialized,
)
from .process_group import ProcessGroup

__all__ = [
    "GroupMember", "ProcessGroup", "destroy_process_group", "get_backend",
    "get_global_rank", "get_group_rank", "get_pg_count", "get_process_group_ranks",
    "get_rank", "get_world_size", "group", "is_initialized", "new_group",
    "new_subgroups", "new_subgroups_by_enumeration", "split_group",
]  # fmt: skip
