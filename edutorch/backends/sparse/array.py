"""The base class of sparse arrays, which replace NumPy arrays in tensors.

A sparse array has `values`, and their positions in a larger array. NumPy's functions
and operators dispatch to it (NEP 13 and 18): the tables `UFUNCS` and `FUNCTIONS`
implement sums, products and others; a function that leaves zero zero is applied to the
values; all others are refused. So ops need not know that there are sparse arrays: `a *
b` in an op's `forward` finds its way here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any, NoReturn

import numpy as np

from ... import layouts

__all__ = [
    "FUNCTIONS", "UFUNCS", "SparseArray", "UnsupportedError", "elementwise", "function",
    "ufunc",
]  # fmt: skip

UFUNCS: dict[Any, Callable[..., Any]] = {}  # by (ufunc, method)
FUNCTIONS: dict[Any, Callable[..., Any]] = {}


class UnsupportedError(NotImplementedError, AttributeError):
    """The error of operations that sparse arrays do not support."""


def ufunc(*which: Any, method: str = "__call__") -> Callable[[Any], Any]:
    """Register an implementation of a ufunc."""

    def enter(made: Callable[..., Any]) -> Callable[..., Any]:
        UFUNCS.update({(u, method): made for u in which})
        return made

    return enter


def function(*which: Any) -> Callable[[Any], Any]:
    """Register an implementation of another NumPy function."""

    def enter(made: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(which, made))
        return made

    return enter


class _Flags:
    c_contiguous = writeable = True
    fnc = False  # column-major


class SparseArray(np.lib.mixins.NDArrayOperatorsMixin):
    """Values at some positions of an array that is zero elsewhere.

    Subclasses have `like(values)` (the same positions, other values), `dense()`,
    `coordinates()` and `unique()` (every position at most once).
    """

    layout: layouts.layout
    values: Any
    shape: tuple[int, ...]
    flags = _Flags()
    __hash__ = object.__hash__  # by identity; the mixin compares elements

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self.values.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions, sparse and dense ones."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, zeros included."""
        return prod(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored values."""
        return len(self.values)

    @property
    def itemsize(self) -> int:
        """The bytes of one value."""
        return int(self.values.itemsize)

    def like(self, values: Any) -> Any:
        """A sparse array with the same positions and other values."""
        raise NotImplementedError

    def unique(self) -> Any:
        """Coalesce: each position at most once, values of equal positions added."""
        return self

    def dense(self) -> Any:
        """The array with its zeros.

        Math: y[i] = Σ_(j: index_j = i) values[j]
        """
        raise NotImplementedError

    def coordinates(self) -> Any:
        """The positions of the values, (sparse dimensions, nnz)."""
        raise NotImplementedError

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The same positions, values in another dtype."""
        return self.like(self.values.astype(dtype, copy=copy))

    def conj(self) -> Any:
        """The complex conjugate."""
        return self.like(self.values.conj())

    @property
    def real(self) -> Any:
        """The real parts."""
        return self.like(self.values.real)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return self.like(self.values.imag)

    def item(self) -> Any:
        """The one element, of an array that has only one."""
        return self.dense().item()

    def any(self) -> bool:
        """Whether any element is not zero."""
        return bool(self.unique().values.any())

    def dot(self, other: Any) -> Any:
        """The matrix product."""
        return self @ other

    def view(self, dtype: Any = None) -> Any:
        """The same positions, and the bits of the values read as another dtype."""
        return self.like(self.values if dtype is None else self.values.view(dtype))

    # ---- NumPy's protocols

    def __array_ufunc__(
        self, which: Any, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        found = UFUNCS.get((which, method))
        if found is None:
            if method != "__call__":
                raise UnsupportedError(
                    f"sparse arrays have no {which.__name__}.{method}"
                )
            found = functools.partial(elementwise, which)
        if out is None:
            return found(*inputs, **options)
        (target,) = out
        sums = which in (np.add, np.subtract) and isinstance(target, np.ndarray)
        if sums and target is inputs[0]:  # only stored values are changed
            return inputs[1].add_into(target, 1 if which is np.add else -1)
        np.copyto(target, found(*inputs, **options), casting="unsafe")
        return target

    def __array_function__(
        self, which: Any, types: Any, args: Any, options: Any
    ) -> Any:
        if which not in FUNCTIONS:
            raise UnsupportedError(f"sparse arrays have no {which.__name__}")
        return FUNCTIONS[which](*args, **options)

    def __array__(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(
            f"can't convert {self.layout.words} layout tensor to numpy. Use "
            "Tensor.to_dense() first."
        )

    def add_into(self, target: Any, sign: int = 1) -> Any:
        """Add the values to a dense array, in place."""
        if target.shape != self.shape:
            np.add(target, self)  # raises NumPy's error
        once = self.unique()  # a third of the time of adding value by value
        where = tuple(once.coordinates())
        values = once.values if where else once.values.sum(axis=0)
        target[where] += values if sign == 1 else -values
        return target

    def values_at(self, dense: Any) -> Any:
        """The elements of a dense array at the positions of the values."""
        where = self.coordinates()
        if not len(where):
            return np.broadcast_to(dense, (where.shape[1], *self.shape))
        return np.asarray(dense)[tuple(where)]

    @property
    def strides(self) -> tuple[int, ...]:
        """Zeros, since the elements have no regular spacing."""
        return (0,) * self.ndim

    def __len__(self) -> int:
        return self.shape[0]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # looked up by Python's and NumPy's protocols
        raise UnsupportedError(f"sparse arrays have no {name}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.shape} with {len(self.values)} values>"


def elementwise(which: Any, x: Any, *others: Any, **options: Any) -> Any:
    """A function of each value, for functions that leave zero zero.

    Raises:
        UnsupportedError: for other functions: their results would be dense.
    """
    numbers = all(isinstance(v, (int, float, complex)) or np.ndim(v) == 0
                  for v in others)  # fmt: skip
    if not (isinstance(x, SparseArray) and numbers):
        raise UnsupportedError(f"sparse arrays have no {which.__name__} of two arrays")
    if which(np.zeros((), x.dtype), *others, **options) != 0:
        raise UnsupportedError(f"{which.__name__} of zero is not zero")
    once = x.unique()
    return once.like(which(once.values, *others, **options))
