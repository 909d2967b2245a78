"""Draws the arguments of an attempt from a seed that is new for each attempt."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..ops.create import tensor
from ..random import fork_rng, manual_seed

__all__ = ["Draw", "draws", "graded_with", "is_graded", "seed_of", "seeded"]

_seed: ContextVar[int] = ContextVar("seed", default=0)
_secret: ContextVar[str] = ContextVar("secret", default="")


class Draw:
    """Draws arguments for one call.

    Attributes:
        dtype: of the tensors that it draws.
    """

    def __init__(self, seed: Sequence[int], dtype: str = "float32") -> None:
        self._rng = np.random.default_rng(seed)
        self.dtype = dtype

    def size(self, low: int = 1, high: int = 5) -> int:
        """A size between `low` and `high`, inclusive."""
        return int(self._rng.integers(low, high + 1))

    def number(self, low: float = -3.0, high: float = 3.0) -> float:
        """A number with three decimals."""
        return round(float(self._rng.uniform(low, high)), 3)

    def choice(self, options: Sequence[Any]) -> Any:
        """One of the given values."""
        return options[int(self._rng.integers(len(options)))]

    def tensor(
        self, *shape: int, low: float | None = None, high: float = 3.0,
        requires_grad: bool = False,
    ) -> Any:  # fmt: skip
        """A tensor with three decimals: normal, or uniform from `low` to `high`."""
        drawn = self._rng.standard_normal(shape)
        if low is not None:
            drawn = self._rng.uniform(low, high, shape)
        kind = np.dtype(self.dtype)
        return tensor(np.round(drawn, 3).astype(kind), requires_grad=requires_grad)

    def labels(self, count: int, classes: int) -> Any:
        """Classes from 0 on, as a tensor of int64."""
        return tensor(self._rng.integers(0, classes, count))


def draws(count: int, dtypes: Sequence[str]) -> Iterator[Draw]:
    """The draws of this attempt, which alternate between the dtypes."""
    for i in range(count):
        yield Draw((_seed.get(), i), dtypes[i % len(dtypes)])


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw with this seed in the block.

    The global generators of Python, NumPy and the library are seeded with it, too, and
    continue as before afterwards: an answer that draws from them gets the same verdict
    each time.
    """
    token = _seed.set(seed)
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002  # the global generator
    try:
        with fork_rng():
            random.seed(seed)
            np.random.seed(seed % 2**32)  # noqa: NPY002  # the global generator
            manual_seed(seed)
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002  # the global generator
        _seed.reset(token)


def seed_of(exercise: str, tries: int) -> int:
    """The seed of an attempt, different each time.

    Example:
        >>> seed_of("02.1", 0) == seed_of("02.1", 1)
        False
    """
    return zlib.crc32(f"{_secret.get()} {exercise} {tries}".encode())


@contextmanager
def graded_with(secret: str) -> Iterator[None]:
    """A context in which draws also depend on a secret of the grader.

    Reading the checks does not reveal on which cases an answer is graded.

    Example:
        >>> plain = seed_of("02.1", 0)
        >>> with graded_with("of this class"):
        ...     seed_of("02.1", 0) == plain
        False
    """
    token = _secret.set(secret)
    try:
        yield
    finally:
        _secret.reset(token)


def is_graded() -> bool:
    """Whether a grader's check is running, not a learner's own."""
    return bool(_secret.get())
