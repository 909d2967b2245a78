"""Arrays of the meta device: NumPy arrays over memory that is reserved but never used.

Slices, transposes and other views are NumPy's own. Functions that would compute go
through NumPy's protocols (NEP 13 and 18), and return an array of the right shape and
dtype. What no rule is known for is computed, by NumPy, from the zeros that memory reads
as before it is written: shapes come out right, but space and time are spent.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NoReturn

import numpy as np

from ...kernels.memory_format import elementwise_strides, match_exact_strides

__all__ = [
    "FUNCTIONS", "MetaArray", "NoDataError", "empty", "function", "meta_like", "like",
    "no_data_error", "no_item_error", "as_numpy", "result_of",
]  # fmt: skip

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
UFUNCS: dict[str, Callable[..., Any]] = {}  # by method
SMALL = 1 << 16  # bytes that are allocated as usual
NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


class NoDataError(NotImplementedError):
    """The error of operations whose result depends on values."""


def no_data_error(*_: Any, **__: Any) -> NoReturn:
    """Raise the error for results that depend on values.

    Raises:
        NoDataError: always.
    """
    raise NoDataError("Cannot copy out of meta tensor; no data!")


def no_item_error(*_: Any, **__: Any) -> NoReturn:
    """Refuse to read a value.

    Raises:
        RuntimeError: always, in PyTorch's words.
    """
    raise RuntimeError("Tensor.item() cannot be called on meta tensors")


def function(*which: Any) -> Callable[[Any], Any]:
    """Register a rule for one of NumPy's functions."""

    def enter(rule: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(which, rule))
        return rule

    return enter


class MetaArray(np.ndarray):
    """An array with a shape, dtype and strides, and without values."""

    def __array_ufunc__(  # type: ignore[override]  # any of its forms
        self, which: Any, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        return UFUNCS[method](which, inputs, out, options)

    def __array_function__(
        self, which: Any, types: Any, args: Any, options: Any
    ) -> Any:
        rule = FUNCTIONS.get(which)
        if rule is not None:
            return rule(*args, **options)
        return result_of(super().__array_function__(which, types, args, options))

    # ---- what would read or write values

    item = tolist = no_item_error
    tobytes = no_data_error

    def nonzero(self) -> Any:
        """The indices of nonzero elements: none, since all read as zero."""
        return tuple(empty((0,), np.intp) for _ in range(self.ndim))

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(p, (np.ndarray, list)) for p in parts):
            return empty(indexed_shape(self.shape, parts), self.dtype)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        np.broadcast_to(0 if np.ndim(value) == 0 else value, self[index].shape)

    def astype(  # type: ignore[override]  # any of its forms
        self, dtype: Any, *_: Any, copy: bool = True, **options: Any
    ) -> Any:
        """An array like this one in another dtype."""
        target = np.dtype(dtype)
        return self if target == self.dtype and not copy else like(self, target)

    def copy(self, order: Any = "C") -> Any:
        """An array like this one in a given order of memory."""
        if order in ("K", "A"):
            return like(self)
        made = empty(self.shape[::-1] if order == "F" else self.shape, self.dtype)
        return made.T if order == "F" else made

    def reshape(self, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        """The elements in another shape: a view where their order allows one."""
        sizes = shape[0] if len(shape) == 1 else shape
        sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
        try:
            return super().reshape(sizes, order=order, copy=False)
        except (TypeError, ValueError):  # the former: NumPy 2.0
            known = prod(n for n in sizes if n != -1)
            full = [self.size // max(known, 1) if n == -1 else n for n in sizes]
            if prod(full) != self.size or (not known and -1 in sizes):
                raise  # of nothing, -1 may be any size
            return empty(full, self.dtype)

    def ravel(self, order: Any = "C") -> Any:
        """The elements in one dimension."""
        return self.reshape(-1)

    def flatten(self, order: Any = "C") -> Any:
        """The elements in one dimension, in their own memory."""
        return empty((self.size,), self.dtype)

    def fill(self, value: Any) -> None:
        """Overwrite all elements: nothing to do."""

    def sort(self, *_: Any, **__: Any) -> None:
        """Sort in place: nothing to do."""

    def _arg(self, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        """The indices of extreme elements."""
        if axis is None:
            shape: Any = (1,) * self.ndim if keepdims else ()
        else:
            at = axis % self.ndim
            reduced = (1,) if keepdims else ()
            shape = self.shape[:at] + reduced + self.shape[at + 1 :]
        return empty(shape, np.intp)

    argmax = argmin = _arg

    def _order(self, axis: Any = -1, *_: Any, **__: Any) -> Any:
        """The indices that would sort the elements."""
        return empty(self.shape if axis is not None else (self.size,), np.intp)

    argsort = argpartition = _order  # type: ignore[assignment]  # any of its forms

    def partition(self, *_: Any, **__: Any) -> None:
        """Sort in part, in place: nothing to do."""

    def _running(self, which: Any, axis: Any, dtype: Any) -> Any:
        x = self.reshape(-1) if axis is None else self
        found = which.accumulate(np.ones(1, self.dtype), dtype=dtype).dtype
        return empty(x.shape, found)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Running sums."""
        return self._running(np.add, axis, dtype) if out is None else out

    def cumprod(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Running products."""
        return self._running(np.multiply, axis, dtype) if out is None else out

    def take(self, indices: Any, axis: Any = None, *_: Any, **__: Any) -> Any:
        """The elements at some places."""
        if axis is None:
            return empty(np.shape(indices), self.dtype)
        at = axis % self.ndim
        shape = self.shape[:at] + np.shape(indices) + self.shape[at + 1 :]
        return empty(shape, self.dtype)

    def dot(self, b: Any, out: Any = None) -> Any:
        """The matrix product."""
        return np.dot(self, b)

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Elements several times."""
        x = self.reshape(-1) if axis is None else self
        at = 0 if axis is None else axis
        times = np.asarray(repeats)
        n = x.shape[at] * int(times) if times.size == 1 else int(times.sum())
        shape = list(x.shape)
        shape[at] = n
        return empty(shape, self.dtype)


def empty(shape: Any, dtype: Any, strides: Sequence[int] | None = None) -> MetaArray:
    """A meta array; small ones hold zeros, large ones memory that is only reserved.

    Args:
        strides: in bytes, none of them negative; row by row if left out.

    Raises:
        RuntimeError: for more bytes than there are addresses.
    """
    shape, kind = tuple(int(n) for n in shape), np.dtype(dtype)
    size = prod(shape) * kind.itemsize
    if strides is not None and size:
        ends = ((n - 1) * s for n, s in zip(shape, strides, strict=True))
        size = kind.itemsize + sum(ends)
    owner: Any = bytearray(size) if size <= SMALL else _reserved(size)
    return np.ndarray.__new__(MetaArray, shape, kind, owner, 0, strides)


def _reserved(size: int) -> Any:
    """Addresses without memory: pages are zeros until they are written to."""
    try:
        if hasattr(mmap, "MAP_ANONYMOUS"):
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE
            return mmap.mmap(-1, size, flags=flags)
        return mmap.mmap(-1, size)
    except (OSError, OverflowError, ValueError) as error:
        raise RuntimeError(
            f"[enforce fail] the meta device has no {size} bytes of addresses: {error}"
        ) from None


def as_numpy(v: Any) -> Any:
    """An array without the rules of this device."""
    return v.view(np.ndarray) if isinstance(v, MetaArray) else v


def like(x: Any, dtype: Any = None) -> MetaArray:
    """A meta array of an array's shape and order in memory."""
    kind = x.dtype if dtype is None else np.dtype(dtype)
    if x.flags.c_contiguous:
        y = empty(x.shape, kind)
    else:
        y = empty(x.shape, kind, elementwise_strides(x.shape, kind.itemsize, [x]))
    return match_exact_strides(y, x) if 1 in x.shape else y


def result_of(result: Any) -> Any:
    """The result of a function without a rule, as meta arrays."""
    if isinstance(result, tuple):
        parts = [result_of(r) for r in result]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    if isinstance(result, list):
        return [result_of(r) for r in result]
    return meta_like(result) if isinstance(result, np.ndarray) else result


def meta_like(x: Any) -> MetaArray:
    """A meta array with an array's shape, dtype and strides."""
    if isinstance(x, MetaArray):
        return x
    if any(s < 0 for s in x.strides):
        return like(x)
    return empty(x.shape, x.dtype, x.strides)


def indexed_shape(shape: tuple[int, ...], parts: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape of the elements chosen by an index that contains arrays."""
    items: list[Any] = []
    for part in parts:
        array = np.asarray(part) if isinstance(part, (list, np.ndarray)) else part
        if isinstance(array, np.ndarray) and array.dtype == np.bool_:
            items += list(array.nonzero()) if array.ndim else [array.reshape(1)]
        else:
            items.append(array)
    taken = sum(p is not None and p is not Ellipsis for p in items)
    if not any(p is Ellipsis for p in items):
        items.append(Ellipsis)
    at = next(i for i, p in enumerate(items) if p is Ellipsis)
    items[at : at + 1] = [slice(None)] * (len(shape) - taken)
    return _shape_of_items(list(shape), items)


def _shape_of_items(sizes: list[int], items: list[Any]) -> tuple[int, ...]:
    """The shape that slices, numbers, arrays and None choose, one for each place."""
    arrays = [
        np.shape(p) for p in items if isinstance(p, (int, np.integer, np.ndarray))
    ]
    chosen = np.broadcast_shapes(*arrays)
    found: list[int] = []
    places: list[int] = []  # of the arrays, among all
    where = 0  # the array's dimensions begin here, if they are neighbours
    for place, part in enumerate(items):
        if part is None:
            found.append(1)
            continue
        n = sizes.pop(0)
        if isinstance(part, slice):
            found.append(len(range(*part.indices(n))))
            continue
        where = where if places else len(found)
        places.append(place)
    together = places == list(range(places[0], places[0] + len(places)))
    at = where if together else 0
    return (*found[:at], *chosen, *found[at:])
