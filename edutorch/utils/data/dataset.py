"""Datasets: indexed by number (map-style) or iterated over."""

from __future__ import annotations

import bisect
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from ...ops.sampling import randperm
from ...tensor.tensor import Tensor

__all__ = [
    "ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset",
    "Subset", "TensorDataset", "random_split",
]  # fmt: skip

T = TypeVar("T")


class Dataset(Generic[T]):
    """Base class of data sets with numbered items; define `__getitem__` and `__len__`.

    Example:
        >>> import edutorch as torch
        >>> class Squares(torch.utils.data.Dataset):
        ...     def __len__(self):
        ...         return 3
        ...     def __getitem__(self, i):
        ...         return i * i
        >>> [Squares()[i] for i in range(3)]
        [0, 1, 4]
    """

    def __getitem__(self, index: Any) -> T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[T]) -> ConcatDataset[T]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T], Iterable[T]):
    """Base class of data sets that are streams; define `__iter__`.

    Example:
        >>> import edutorch as torch
        >>> class Count(torch.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(3))
        >>> list(torch.utils.data.DataLoader(Count(), batch_size=2))
        [tensor([0, 1]), tensor([2])]
    """

    def __add__(self, other: Dataset[T]) -> ChainDataset[T]:  # type: ignore[override]  # a chain
        return ChainDataset([self, other])


class ChainDataset(IterableDataset[T]):
    """Several streams, one after the other.

    Raises:
        AssertionError: for a data set that is not a stream.

    Example:
        >>> import edutorch as torch
        >>> class Count(torch.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(2))
        >>> list(Count() + Count())
        [0, 1, 0, 1]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[T]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self.datasets)


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """The rows of tensors that have the same first size.

    Raises:
        AssertionError: if first sizes differ.

    Example:
        >>> import edutorch as torch
        >>> data = torch.utils.data.TensorDataset(torch.arange(3), torch.zeros(3, 2))
        >>> data[1]
        (tensor(1), tensor([0., 0.]))
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.shape[0] != tensors[0].shape[0] for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class StackDataset(Dataset[Any]):
    """Items of several data sets side by side, as tuples or dictionaries.

    Example:
        >>> import edutorch as torch
        >>> torch.utils.data.StackDataset([1, 2], [3, 4])[1]
        (2, 4)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError(
                "At least one dataset should be passed"
                if not args
                else "Supported either ``tuple``- (via ``args``) or``dict``- (via "
                "``kwargs``) like input/output, but both types are given."
            )
        self.datasets: Any = args or kwargs
        every = args or tuple(kwargs.values())
        self._length = len(every[0])
        if any(len(d) != self._length for d in every):
            raise ValueError("Size mismatch between datasets")

    def __getitem__(self, index: int) -> Any:
        if isinstance(self.datasets, dict):
            return {k: d[index] for k, d in self.datasets.items()}
        return tuple(d[index] for d in self.datasets)

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """Several items at once."""
        return [self[i] for i in indices]

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T]):
    """Several data sets, one after the other.

    Example:
        >>> import edutorch as torch
        >>> both = torch.utils.data.ConcatDataset([[1, 2], [3]])
        >>> len(both), both[2]
        (3, 3)
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """The end of each data set."""
        return list(accumulate(len(d) for d in sequence))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> T:
        if index < 0:
            if -index > len(self):
                raise ValueError(
                    "absolute value of index should not exceed dataset length"
                )
            index += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[which - 1] if which else 0
        item: T = self.datasets[which][index - before]
        return item


class Subset(Dataset[T]):
    """The items of a data set at `indices`.

    Example:
        >>> import edutorch as torch
        >>> torch.utils.data.Subset([10, 20, 30], [2, 0])[0]
        30
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> T:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list[T]:
        """Several items at once, by the data set's own method if it has one."""
        chosen = [self.indices[i] for i in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(chosen)
        return [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Any = None
) -> list[Subset[Any]]:
    """Split a data set at random into parts of given lengths, or fractions.

    Raises:
        ValueError: if lengths do not add up to the data set's.

    Example:
        >>> import edutorch as torch
        >>> parts = torch.utils.data.random_split(range(10), [0.7, 0.3])
        >>> [len(p) for p in parts]
        [7, 3]
    """
    sizes = _sizes(len(dataset), lengths)
    order = randperm(sum(sizes), generator=generator).tolist()
    ends = accumulate(sizes)
    return [
        Subset(dataset, order[end - size : end])
        for end, size in zip(ends, sizes, strict=True)
    ]


def _sizes(total: int, lengths: Sequence[float]) -> list[int]:
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        if any(not 0 <= f <= 1 for f in lengths):
            raise ValueError("Fraction at index 0 is not between 0 and 1")
        sizes = [math.floor(total * f) for f in lengths]
        for i in range(total - sum(sizes)):
            sizes[i % len(sizes)] += 1
        for i, n in enumerate(sizes):
            if n == 0:
                warnings.warn(
                    f"Length of split at index {i} is 0. This might result in an empty "
                    "dataset.",
                    stacklevel=3,
                )
        return sizes
    if sum(lengths) != total:
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset!"
        )
    if any(n != int(n) for n in lengths):
        raise TypeError("lengths should be integers, or fractions that add up to 1")
    return [int(n) for n in lengths]
