"""`ProcessGroup`: ranks that communicate among themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ..errors import DistBackendError
from ..stores.store import Store
from ..world.mpi_world import World

__all__ = ["ProcessGroup"]


class ProcessGroup:
    """Some ranks that communicate among themselves.

    Attributes:
        ranks: the global ranks, in the order of their ranks in the group.
        comm: MPI's communicator.
        timeout: how long a collective may take.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.group.WORLD.size(), dist.group.WORLD.rank()
        (1, 0)
        >>> dist.destroy_process_group()
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
        self.count = self.completed = 0  # collectives started and completed
        self.barriers = 0  # the number of monitored barriers
        self.nccl_communicators: dict[int, Any] = {}  # by the index of the GPU
        self.splits = 0  # how often the group was split
        self.coalesced_works: list[Any] | None = (
            None  # works of a `_coalescing_manager`
        )
        self.last_collective = "nothing yet"

    def rank(self) -> int:
        """The rank of this process in the group."""
        return self.ranks.index(self.world.rank)

    def size(self) -> int:
        """The number of ranks in the group."""
        return len(self.ranks)

    def name(self) -> str:
        """The backend's name."""
        return self.backend

    def describe(self) -> str:
        """The group in words, for messages."""
        if len(self.ranks) == self.world.size:
            return f"the group of all {self.world.size} ranks"
        return f"the group of ranks {self.ranks}"

    def group_rank(self, rank: int) -> int:
        """The rank in the group of a global rank.

        Raises:
            ValueError: if it is not in the group.
        """
        if rank not in self.ranks:
            raise ValueError(
                f"Global rank {rank} is not part of group {self.group_name}"
            )
        return self.ranks.index(rank)

    def start_collective(self, name: str) -> None:
        """Count a collective that starts.

        Raises:
            DistBackendError: if an earlier one has failed.
        """
        if self.world.failure:
            raise DistBackendError(
                f"{name} cannot begin: an earlier collective failed: "
                f"{self.world.failure}"
            )
        self.count += 1
        self.last_collective = name

    def status(self) -> str:
        """A description of what this rank is doing in the group."""
        word = "after" if self.completed == self.count else "in"
        return f"{word} collective {self.count}, {self.last_collective}"

    def timeout_report(self, ranks: Sequence[int], limit: float) -> str:
        """The ranks that did not answer in time, and what each rank is doing."""
        text = f"timed out after {limit:g} s"
        coordinator = self.world.coordinator
        if coordinator is None:
            return text
        answers = coordinator.query_status(ranks)
        lines = [
            f"rank {r}: {answers.get(r, 'does not answer')}"
            for r in ranks
            if r != self.world.rank
        ]
        mine = f"rank {self.world.rank}: {self.world.status()}"
        return "; ".join([text + ", this is what each rank was doing: " + mine, *lines])

    def __repr__(self) -> str:
        return f"<ProcessGroup {self.group_name} of ranks {self.ranks}>"
