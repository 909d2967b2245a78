"""A barrier that names the ranks that do not reach it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ..groups.group_registry import resolve_group
from ..groups.process_group import ProcessGroup

__all__ = ["monitored_barrier"]


def monitored_barrier(
    group: Any = None,
    timeout: timedelta | None = None,
    wait_all_ranks: bool = False,
) -> None:
    """Wait until all ranks have reached the barrier; name those that have not.

    Rank 0 waits for all others, then lets them continue.

    Args:
        wait_all_ranks: name all ranks that are missing, not just the first.

    Raises:
        RuntimeError: if some do not come in time.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.monitored_barrier()
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    if members is None or members.size() == 1 or members.store is None:
        return
    members.barriers += 1
    limit = members.timeout if timeout is None else timeout
    name = f"monitored_barrier{members.barriers}/{members.group_name}"
    members.start_collective("monitored_barrier()")
    if members.rank() == 0:
        _wait_for_other_ranks(members, name, limit, wait_all_ranks)
        members.store.set(f"{name}/go_on", "yes")
    else:
        members.store.set(f"{name}/{members.rank()}", "here")
        _wait_for_rank_zero(members, name, limit)
    members.completed += 1


def _wait_for_other_ranks(
    members: ProcessGroup, name: str, limit: timedelta, wait_all_ranks: bool
) -> None:
    """Rank 0: wait for the keys of all other ranks; raise if some are missing."""
    keys = [f"{name}/{place}" for place in range(1, members.size())]
    if _wait(members, keys, limit):
        return
    store = members.store
    missing = [
        members.ranks[place]
        for place, key in enumerate(keys, 1)
        if store is not None and not store.check([key])
    ]
    shown = missing if wait_all_ranks else missing[:1]
    raise RuntimeError(
        f"Rank {', '.join(map(str, shown))} failed to pass monitoredBarrier in "
        f"{int(limit.total_seconds() * 1000)} ms{_failure_note(members, missing)}"
    )


def _wait_for_rank_zero(members: ProcessGroup, name: str, limit: timedelta) -> None:
    """Other ranks: wait for the key of rank 0."""
    # Wait longer than rank 0 does, since its message is more informative.
    if not _wait(members, [f"{name}/go_on"], limit + timedelta(seconds=2)):
        raise RuntimeError(
            f"Rank {members.world.rank} successfully reached monitoredBarrier, but "
            f"received errors while waiting for send/recv from rank "
            f"{members.ranks[0]}{_failure_note(members, members.ranks[:1])}. Please "
            f"check rank {members.ranks[0]} logs for faulty rank."
        )


def _wait(members: ProcessGroup, keys: list[str], limit: timedelta) -> bool:
    """Wait for keys while no rank has failed; return whether all were set in time."""
    step = timedelta(seconds=0.2)
    waited = timedelta()
    while waited < limit:
        try:
            if members.store is not None:
                members.store.wait(keys, min(step, limit))
        except RuntimeError:
            waited += step
            if members.world.find_failure(members.ranks):
                return False
        else:
            return True
    return False


def _failure_note(members: ProcessGroup, ranks: list[int]) -> str:
    failure = members.world.find_failure(ranks)
    return f" ({failure})" if failure else ""
