"""Samplers: the order in which a loader takes items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from ... import dtypes
from ...ops.create import as_tensor, empty
from ...ops.sampling import Generator, multinomial, randint, randperm

__all__ = [
    "BatchSampler", "RandomSampler", "Sampler", "SequentialSampler",
    "SubsetRandomSampler", "WeightedRandomSampler",
]  # fmt: skip

T = TypeVar("T")


class Sampler(Generic[T]):
    """Base class of samplers; define `__iter__`.

    Example:
        >>> import edutorch as torch
        >>> list(torch.utils.data.SequentialSampler([7, 8]))
        [0, 1]
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[T]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """0, 1, 2 ...

    Example:
        >>> import edutorch as torch
        >>> list(torch.utils.data.SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def _seeded() -> Generator:
    """A generator seeded from the default one, as in every epoch."""
    seed = int(empty((), dtype=dtypes.int64).random_().item())
    return Generator().manual_seed(seed)


class RandomSampler(Sampler[int]):
    """A random order, or random draws with replacement.

    Args:
        num_samples: how many to draw; default all.

    Raises:
        ValueError: for a number of samples that is not positive.

    Example:
        >>> import edutorch as torch
        >>> sorted(torch.utils.data.RandomSampler(range(4)))
        [0, 1, 2, 3]
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Any = None,
    ) -> None:
        if not isinstance(replacement, bool):
            raise TypeError(
                "replacement should be a boolean value, but got "
                f"replacement={replacement}"
            )
        super().__init__(data_source)
        self.replacement, self.generator = replacement, generator
        self._num_samples = num_samples
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                "num_samples should be a positive integer value, but got "
                f"num_samples={self.num_samples}"
            )

    @property
    def num_samples(self) -> int:
        """The number of samples drawn."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = _seeded() if self.generator is None else self.generator
        if self.replacement:
            for _ in range(self.num_samples // 32):
                yield from _draws(n, 32, generator)
            yield from _draws(n, self.num_samples % 32, generator)
            return
        for _ in range(self.num_samples // n if n else 0):
            yield from randperm(n, generator=generator).tolist()
        if n:
            yield from randperm(n, generator=generator).tolist()[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


def _draws(n: int, count: int, generator: Any) -> list[int]:
    drawn = randint(high=n, size=(count,), dtype=dtypes.int64, generator=generator)
    return drawn.tolist()


class SubsetRandomSampler(Sampler[int]):
    """Given indices in random order.

    Example:
        >>> import edutorch as torch
        >>> sorted(torch.utils.data.SubsetRandomSampler([5, 9]))
        [5, 9]
    """

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


def _need_positive(name: str, value: Any) -> None:
    integral = isinstance(value, int) and not isinstance(value, bool)
    if not integral or value <= 0:
        raise ValueError(
            f"{name} should be a positive integer value, but got {name}={value}"
        )


def _need_bool(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} should be a boolean value, but got {name}={value}")


class WeightedRandomSampler(Sampler[int]):
    """Draws with given weights.

    Math: P(i) = wᵢ / Σ w

    Example:
        >>> import edutorch as torch
        >>> list(torch.utils.data.WeightedRandomSampler([0.0, 1.0], 3))
        [1, 1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Any = None,
    ) -> None:
        _need_positive("num_samples", num_samples)
        _need_bool("replacement", replacement)
        self.weights = as_tensor(weights, dtype=dtypes.float64)
        if self.weights.ndim != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples, self.replacement = num_samples, replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Batches of another sampler's indices.

    Raises:
        ValueError: for a batch size that is not positive.

    Example:
        >>> import edutorch as torch
        >>> list(torch.utils.data.BatchSampler(range(5), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        _need_positive("batch_size", batch_size)
        _need_bool("drop_last", drop_last)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
