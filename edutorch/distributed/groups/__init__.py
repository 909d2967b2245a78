"""Process groups: the ranks that take part in a collective.

- `process_group.py`: a group, and what a timeout says of each of its ranks.
- `membership.py`: which groups this process is in, and which ranks they have.
- `new_groups.py`: groups of some ranks, made and ended.
"""

from .membership import (
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
from .new_groups import (
    destroy_process_group,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    split_group,
)
from .process_group import ProcessGroup

__all__ = [
    "GroupMember", "ProcessGroup", "destroy_process_group", "get_backend",
    "get_global_rank", "get_group_rank", "get_pg_count", "get_process_group_ranks",
    "get_rank", "get_world_size", "group", "is_initialized", "new_group",
    "new_subgroups", "new_subgroups_by_enumeration", "split_group",
]  # fmt: skip
