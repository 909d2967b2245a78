"""The stand-in's arrays: NumPy arrays that keep CuPy's rules.

Nothing turns them into NumPy arrays but `get()`; beside a NumPy array, or an array of
another device, they refuse; reductions give arrays without dimensions. The methods and
their arguments are those of the installed CuPy.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from types import SimpleNamespace
from typing import Any

import cupy as real
import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tests.gpu_double.devices import Device, current_device

__all__ = ["ndarray", "unwrapped", "wrapped"]

IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to "
    "construct a NumPy array explicitly."
)
INTEGER_ARGUMENT = re.compile(r"\b(?:int|_ndarray_base|bint)\s+(?=\w)")


def unwrapped(value: Any, *, numpy: bool = False) -> Any:
    """What NumPy computes with in place of a value.

    Args:
        numpy: whether NumPy's arrays are taken, too: CuPy uploads them here.

    Raises:
        TypeError: for a NumPy array, as CuPy.
        ValueError: for an array of a device that is not current.
    """
    kind = type(value)
    if kind is ndarray:
        if value._device != current_device():
            raise ValueError(
                f"Array device must be same as the current device: array device = "
                f"{value._device} while current = {current_device()}"
            )
        return value._a
    if kind in (list, tuple):
        return kind(unwrapped(v, numpy=numpy) for v in value)
    if isinstance(value, np.ndarray) and not numpy:
        raise TypeError(f"Unsupported type {np.ndarray}")
    return value


def wrapped(value: Any, *args: Any) -> Any:
    """A result of NumPy as CuPy gives it: never a number.

    Args:
        args: what it was computed from; a view of one of them says so.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return ndarray._of(array, _seen(array, args))
    if isinstance(value, (list, tuple)):
        found = [wrapped(v, *args) for v in value]
        return found if isinstance(value, list) else tuple(found)
    return value


def _seen(array: Any, args: Any) -> Any:
    """The operand whose memory an array shows, or None."""
    if array.base is None:
        return None
    for x in args:
        if type(x) is ndarray and np.may_share_memory(array, x._a):
            return x
    return None


class MemoryPointer:
    """A place in the memory of an array, which it keeps alive."""

    def __init__(self, array: Any, offset: int) -> None:
        self.array, self._offset = array, offset
        self.ptr = int(array._a.ctypes.data) + offset
        self.device_id, self.device = array._device, array.device
        owner = array._a
        while owner.base is not None:
            keeps = getattr(owner.base, "keeps", None)
            owner = owner.base if keeps is None else keeps._a
            if not isinstance(owner, np.ndarray):
                raise TypeError(f"memory of a {type(owner).__name__}")
        size = -(-owner.nbytes // 512) * 512
        self.mem = SimpleNamespace(ptr=int(owner.ctypes.data), size=size)

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.array, self._offset + int(offset))

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -offset

    def seen_as(self, shape: Any, dtype: Any, strides: Any) -> Any:
        """The memory from here on, as NumPy's array of some form."""
        dtype = np.dtype(dtype)
        if strides is None:
            strides = np.empty(shape, np.dtype([("", "u1", (dtype.itemsize,))])).strides
        last = sum((n - 1) * max(s, 0) for n, s in zip(shape, strides, strict=True))
        span = SimpleNamespace(
            keeps=self.array,
            __array_interface__={
                "data": (self.ptr, False), "typestr": "|u1", "version": 3,
                "shape": (last + dtype.itemsize if 0 not in shape else 0,),
            },
        )  # fmt: skip
        return np.ndarray(shape, dtype, np.asarray(span), 0, strides)


class ndarray(NDArrayOperatorsMixin):
    """An array of the stand-in; `_a` has its values."""

    __slots__ = ("_a", "_base", "_device")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]  # as of ndarray

    def __init__(
        self, shape: Any, dtype: Any = float, memptr: Any = None,
        strides: Any = None, order: Any = "C",
    ) -> None:  # fmt: skip
        self._device, self._base = current_device(), None
        if memptr is None:
            self._a: Any = np.empty(shape, dtype, order)
        else:
            self._a = memptr.seen_as(shape, dtype, strides)

    @classmethod
    def _of(cls, a: Any, base: Any = None, device: int | None = None) -> ndarray:
        """An array with these values, a view of `base` or its owner."""
        if a.dtype.char in "OSUMmVgG":
            raise ValueError(f"Unsupported dtype {a.dtype}")
        made = object.__new__(cls)
        made._a = a
        made._base = base if base is None or base._base is None else base._base
        made._device = current_device() if device is None else device
        return made

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(IMPLICIT)

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **keywords: Any
    ) -> Any:
        out = keywords.get("out")
        if out is not None:
            if len(out) != 1:
                raise ValueError(
                    "The 'out' parameter must have exactly one array value"
                )
            keywords["out"] = out[0]
        import cupy
        import cupyx.scipy.special as special

        name = ufunc.__name__
        function = getattr(cupy, name, None) or getattr(special, name, None)
        if function is None or (method != "__call__" and not hasattr(function, method)):
            return NotImplemented
        if any(not isinstance(x, OPERANDS) for x in (*inputs, *(out or ()))):
            return NotImplemented
        if name in COMPARISONS:
            inputs = tuple(
                x.item() if isinstance(x, np.ndarray) and x.ndim == 0 else x
                for x in inputs
            )
        if method != "__call__":
            function = getattr(function, method)
        return function(*inputs, **keywords)

    def __array_function__(
        self, func: Any, types: Any, args: Any, keywords: Any
    ) -> Any:
        import cupy

        place: Any = cupy
        for name in func.__module__.split(".")[1:]:
            place = getattr(place, name, None)
        found = getattr(place, func.__name__, None)
        if found is None or found is func:
            return NotImplemented
        if any(not issubclass(t, (ndarray, np.ndarray)) for t in types):
            return NotImplemented
        return found(*args, **keywords)

    def get(
        self, stream: Any = None, order: str = "C", out: Any = None,
        blocking: bool = True,
    ) -> Any:  # fmt: skip
        if out is None:
            return np.array(self._a, order=order)
        out[...] = self._a
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if self.dtype != arr.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if self.shape != arr.shape:
            raise ValueError("Shape mismatch")
        self._a[...] = arr

    def __getitem__(self, index: Any) -> Any:
        taken = _index(index)
        found = self._a[taken]
        if not isinstance(found, np.ndarray):  # a view, where NumPy copies a number
            parts = taken if isinstance(taken, tuple) else (taken,)
            found = self._a[(*parts, ...)]
        return ndarray._of(found, _seen(found, (self,)), self._device)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, np.ndarray):
            value = self._of_numpy(index, value)
        with np.errstate(all="ignore"):
            self._a[_index(index)] = _peer(value)

    def _of_numpy(self, index: Any, value: Any) -> Any:
        """What CuPy takes of a NumPy array that is assigned.

        Raises:
            ValueError: where it does not upload it.
        """
        if index == slice(None) if isinstance(index, slice) else False:
            if self.dtype == value.dtype and self.shape == value.shape:
                return ndarray._of(value, device=self._device)
            raise ValueError(
                "copying a numpy.ndarray to a cupy.ndarray by empty slice "
                "assignment must ensure arrays have same shape and dtype"
            )
        parts = index if isinstance(index, tuple) else (index,)
        advanced = any(isinstance(p, (ndarray, np.ndarray, list)) for p in parts)
        if value.ndim and not advanced:
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        return ndarray._of(value, device=self._device) if value.ndim else value.item()

    def fill(self, value: Any) -> None:
        if isinstance(value, np.ndarray) and value.ndim:
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        self._a.fill(_peer(value))

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        return ndarray._of(
            self._a if dtype is None else self._a.view(dtype), self, self._device
        )

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        if kind not in (None, "stable"):
            raise ValueError("CuPy only supports stable sorting")
        self._a.sort(axis, kind="stable")

    def _scatter(self, ufunc: Any, index: Any, value: Any) -> None:
        """Combine `value` into the elements at `index`, each as often as it occurs."""
        if ufunc is np.add and self._a.dtype.char not in "ilqefdILQ":
            raise TypeError(
                "cupy.add.at only supports int32, int64, float16, float32, "
                "float64, uint32, uint64 as data type"
            )
        ufunc.at(self._a, _index(index), unwrapped(value))

    def __len__(self) -> int:
        return len(self._a)

    def __bool__(self) -> bool:
        return bool(self._a)

    def __int__(self) -> int:
        return int(self._a)

    def __float__(self) -> float:
        return float(self._a)

    def __complex__(self) -> complex:
        return complex(self._a)

    def __repr__(self) -> str:
        return repr(self._a)

    def __str__(self) -> str:
        return str(self._a)

    def __format__(self, spec: str) -> str:
        return format(self._a[()] if self._a.ndim == 0 else self._a, spec)

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    def __reduce__(self) -> Any:
        return wrapped, (self._a,)

    shape = property(
        lambda self: self._a.shape, lambda self, v: setattr(self._a, "shape", v)
    )
    dtype = property(lambda self: self._a.dtype)
    ndim = property(lambda self: self._a.ndim)
    size = property(lambda self: self._a.size)
    itemsize = property(lambda self: self._a.itemsize)
    nbytes = property(lambda self: self._a.nbytes)
    strides = property(lambda self: self._a.strides)
    base = property(lambda self: self._base)
    device = property(lambda self: Device(self._device))

    @property
    def flags(self) -> Any:
        found = self._a.flags
        return SimpleNamespace(
            c_contiguous=found.c_contiguous, f_contiguous=found.f_contiguous,
            forc=found.forc, fnc=found.fnc, owndata=self._base is None,
        )  # fmt: skip

    @property
    def data(self) -> Any:
        return MemoryPointer(self, 0)

    @property
    def T(self) -> ndarray:
        return ndarray._of(self._a.T, self, self._device)

    @property
    def mT(self) -> ndarray:
        return ndarray._of(self._a.mT, self, self._device)

    @property
    def real(self) -> ndarray:
        return ndarray._of(self._a.real, self, self._device)

    @real.setter
    def real(self, value: Any) -> None:
        self._a.real = _peer(value)

    @property
    def imag(self) -> ndarray:
        return ndarray._of(self._a.imag, self, self._device)

    @imag.setter
    def imag(self, value: Any) -> None:
        self._a.imag = _peer(value)


OPERANDS = (ndarray, np.ndarray, np.generic, bool, int, float, complex)
COMPARISONS = {
    "greater", "greater_equal", "less", "less_equal", "equal", "not_equal",
}  # fmt: skip


def _peer(value: Any) -> Any:
    """A value that is copied: also from another device."""
    if type(value) is ndarray:
        return value._a
    return unwrapped(value)


def _index(index: Any) -> Any:
    """An index as NumPy takes it; CuPy uploads NumPy's arrays in it."""
    if isinstance(index, tuple):
        return tuple(_index(i) for i in index)
    if type(index) is ndarray:
        return index._a
    return unwrapped(index, numpy=True)


def _signature(name: str) -> inspect.Signature | None:
    """The arguments of a method of CuPy's arrays, from the line that documents them."""
    text = (getattr(real.ndarray, name).__doc__ or "").partition("\n")[0]
    found = re.match(r"_ndarray_base\.\w+(\(.*?\))(?: ->|$)", text)
    if not found:
        return None
    namespace: dict[str, Any] = {}
    arguments = INTEGER_ARGUMENT.sub("", found[1])
    with contextlib.suppress(SyntaxError):
        exec(f"def method{arguments}: pass", namespace)
        return inspect.signature(namespace["method"])
    return None


UPLOADED = {"take", "put", "repeat", "choose", "compress", "searchsorted"}
RESULTS_ON_THE_HOST = {"item", "tolist", "tobytes", "dump", "dumps", "tofile"}


def _method(name: str) -> Any:
    """A method of CuPy's arrays, computed by NumPy's of the same name."""
    signature, numpys = _signature(name), getattr(np.ndarray, name)

    def method(self: ndarray, *args: Any, **keywords: Any) -> Any:
        if signature is not None:
            signature.bind(self, *args, **keywords)
        with Device(self._device):
            taken = [unwrapped(a, numpy=name in UPLOADED) for a in args]
            given = {k: unwrapped(v) for k, v in keywords.items()}
            for k in ("copy", "subok", "blocking"):
                if given.get(k, 0) is None:
                    given.pop(k)
            if name == "astype" and given.get("casting", 0) is None:
                given.pop("casting")
            with np.errstate(all="ignore"):
                found = numpys(self._a, *taken, **given)
            if name in RESULTS_ON_THE_HOST:
                return found
            if found is self._a:
                return self
            shown = keywords.get("out")
            return shown if shown is not None else wrapped(found, self)

    method.__name__ = name
    return method


for _name in set(dir(real.ndarray)) - set(vars(ndarray)):
    if not _name.startswith("_") and callable(getattr(np.ndarray, _name, None)):
        setattr(ndarray, _name, _method(_name))
ndarray.__module__ = "cupy"
