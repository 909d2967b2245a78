"""The division of a data set among several processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...distributed.groups.group_registry import get_rank, get_world_size
from ...ops.sampling import Generator, randperm
from .sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """One process's share of a common order: each `num_replicas`-th index.

    Call `set_epoch` before every epoch: the order follows from seed and epoch.

    Args:
        num_replicas: the number of processes that share the data; by default all.
        rank: the number of this process, from 0; by default its rank.
        drop_last: drop the remainder of the division; otherwise, some indices come
            twice.

    Raises:
        ValueError: for a rank out of range; without `num_replicas` or `rank`, before
            `init_process_group`.

    Example:
        >>> import edutorch as torch
        >>> sampler = torch.utils.data.DistributedSampler(
        ...     range(5), num_replicas=2, rank=1, shuffle=False
        ... )
        >>> list(sampler)
        [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        num_replicas = get_world_size() if num_replicas is None else num_replicas
        rank = get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval "
                f"[0, {num_replicas - 1}]"
            )
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.epoch = 0
        n = len(dataset)
        self.num_samples = n // num_replicas if drop_last else -(-n // num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        n = len(self.dataset)
        order = list(range(n))
        if self.shuffle:
            generator = Generator().manual_seed(self.seed + self.epoch)
            order = randperm(n, generator=generator).tolist()
        if len(order) < self.total_size:
            order *= -(-self.total_size // n)  # begin again at the front
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch, which changes the order."""
        self.epoch = epoch
