"""The stand-in's modules: the names and arguments of the installed CuPy's.

A name that CuPy lacks is an AttributeError, an argument that it lacks a TypeError. A
name that CuPy has is computed by NumPy's, or SciPy's, of the same name.
"""

from __future__ import annotations

import inspect
import time
from types import ModuleType
from typing import Any

import numpy as np
import scipy.special

from tests.gpu_double.arrays import ndarray, unwrapped, wrapped
from tests.gpu_double.devices import Device, current_device
from tests.gpu_double.ufuncs import SCATTERED, Ufunc

__all__ = ["StandIn"]

# Functions that take NumPy's arrays: they upload them.
UPLOADING = {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray",
             "copyto", "asnumpy", "take", "get_array_module", "isscalar"}  # fmt: skip
ON_THE_HOST = {
    "asnumpy", "shape", "ndim", "size", "result_type", "can_cast", "isscalar",
    "broadcast_shapes", "promote_types", "min_scalar_type", "get_printoptions",
    "array_repr", "array_str", "array2string", "common_type", "isdtype", "dtype",
}  # fmt: skip


class StandIn(ModuleType):
    """One of CuPy's modules, with NumPy's functions behind its names."""

    def __init__(self, name: str, real: Any, host: Any) -> None:
        super().__init__(name, real.__doc__)
        self.__dict__.update(_real=real, _host=host, __path__=[], __spec__=None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # private names distinguish CuPy from the stand-in
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        real = getattr(self._real, name)  # AttributeError for what CuPy lacks
        found = self._made(name, real)
        setattr(self, name, found)
        return found

    def _made(self, name: str, real: Any) -> Any:
        """The replacement for `real`."""
        own = OWN.get((self.__name__, name))
        if own is not None:
            return own
        kind = type(real).__name__
        if kind == "ufunc":
            return Ufunc(real, name)
        if isinstance(real, ModuleType):
            host = getattr(self._host, name, None)
            return StandIn(f"{self.__name__}.{name}", real, host)
        if isinstance(real, type) and not issubclass(real, np.generic):
            host = getattr(self._host, name, None)
            return host if isinstance(host, type) else real
        if callable(real) and not isinstance(real, type):
            return _function(self, name, real)
        return real


def _function(module: StandIn, name: str, real: Any) -> Any:
    """A function with CuPy's arguments, computed by the host's of the same name."""
    host = getattr(module._host, name, None)
    signature = None
    if kind_has_signature(real):
        signature = inspect.signature(real)

    def function(*args: Any, **keywords: Any) -> Any:
        if signature is not None:
            signature.bind(*args, **keywords)
        if host is None:
            raise NotImplementedError(f"the stand-in has no {module.__name__}.{name}")
        uploads = name in UPLOADING
        sent = [np.array(a) if type(a) is np.ndarray and uploads else a for a in args]
        taken = [unwrapped(a, numpy=uploads) for a in sent]
        given = {k: unwrapped(v, numpy=uploads) for k, v in keywords.items()}
        given.pop("blocking", None)
        check = CHECKS.get((module.__name__, name))
        if check is not None:
            check(*taken, **given)
        if module.__name__ == "cupy.linalg":
            _refuse_half(taken)
        with np.errstate(all="ignore"):
            found = host(*taken, **given)
        if name in ON_THE_HOST:
            return found
        out = keywords.get("out")
        return out if isinstance(out, ndarray) else _of(found, args, taken)

    function.__name__ = function.__qualname__ = name
    function.__module__ = module.__name__
    function.__doc__ = f"CuPy's {name}, computed by NumPy's."
    return function


def _of(found: Any, args: Any, taken: Any) -> Any:
    """A result; an argument that the function returned is the same object again."""
    for arg, array in zip(args, taken, strict=True):
        if found is array and isinstance(arg, ndarray):
            return arg
    return wrapped(found, *args)


def kind_has_signature(real: Any) -> bool:
    """Whether a function's arguments can be read."""
    try:
        inspect.signature(real)
    except (TypeError, ValueError):
        return False
    return True


def _refuse_half(arrays: Any) -> None:
    for a in arrays:
        if isinstance(a, np.ndarray) and a.dtype.char in "eE":
            raise TypeError(f"Array type {a.dtype} is unsupported in linalg")


def _check_solve(a: Any, b: Any) -> None:
    if b.ndim != 1 and a.shape[:-1] != b.shape[:-1]:
        raise ValueError(
            "a must have (..., M, M) shape and b must have (..., M, K) for "
            "multidimensional b"
        )


def _check_sort(*args: Any, kind: Any = None, **others: Any) -> None:
    if kind not in (None, "stable"):
        raise ValueError("CuPy only supports stable sorting")


CHECKS = {
    ("cupy.linalg", "solve"): _check_solve,
    ("cupy", "sort"): _check_sort,
    ("cupy", "argsort"): _check_sort,
}


def _asnumpy(
    a: Any, stream: Any = None, order: str = "C", out: Any = None,
    *, blocking: bool = True,
) -> Any:  # fmt: skip
    return a.get(order=order, out=out) if isinstance(a, ndarray) else np.asarray(a)


def _get_array_module(*args: Any) -> Any:
    import cupy

    return cupy if any(isinstance(a, ndarray) for a in args) else np


def _shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    return bool(np.shares_memory(a._a, b._a))


def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    if isinstance(src, np.ndarray):
        raise TypeError(f"Unsupported type {np.ndarray}")
    given = {} if where is None else {"where": unwrapped(where)}
    if isinstance(src, ndarray):  # of any device, as CuPy's
        src = src._a
    np.copyto(dst._a, src, casting, **given)


def _asarray(
    a: Any, dtype: Any = None, order: Any = None, *, blocking: bool = False
) -> Any:
    if isinstance(a, ndarray):  # one of another device is copied, as CuPy's
        here = a._device == current_device()
        found = np.array(a._a, dtype, order=order or "K", copy=None if here else True)
        return a if found is a._a else ndarray._of(found)
    host = np.array(a) if type(a) is np.ndarray else unwrapped(a)
    return ndarray._of(np.asarray(host, dtype, order))


def _scatter(ufunc: Any) -> Any:
    def scatter(a: Any, slices: Any, value: Any) -> None:
        a._scatter(ufunc, slices, value)

    return scatter


def _logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False,
    return_sign: bool = False,
) -> Any:  # fmt: skip
    return wrapped(scipy.special.logsumexp(unwrapped(a), axis, b, keepdims))


class _Stream:
    """A stream on which everything has been done already."""

    ptr = 0
    done = True

    def __init__(
        self, null: Any = False, non_blocking: Any = False, ptds: Any = False,
        priority: Any = None,
    ) -> None:  # fmt: skip
        self.ptr = 0 if null else id(self)
        self.captures = False

    def synchronize(self) -> None:
        pass

    def use(self) -> _Stream:
        _current[current_device()] = self
        return self

    def record(self, event: Any = None) -> Any:
        made = _Event() if event is None else event
        made.record(self)
        return made

    def wait_event(self, event: Any) -> None:
        if not isinstance(event, _Event):
            raise TypeError(f"no event: {event}")

    def begin_capture(self, mode: Any = None) -> None:
        if self.captures or not self.ptr:
            raise RuntimeError("cudaErrorStreamCaptureUnsupported")
        self.captures = True

    def end_capture(self) -> _Graph:
        self.captures = False
        return _Graph()

    def is_capturing(self) -> bool:
        return self.captures

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *args: object) -> None:
        pass


class _Graph:
    """Captured work, of which nothing but its launches is known: it has been done.

    Attributes:
        launches: the streams that it was launched in.
    """

    def __init__(self) -> None:
        self.launches: list[int] = []

    def upload(self, stream: Any = None) -> None:
        pass

    def launch(self, stream: Any = None) -> None:
        self.launches.append(stream.ptr)


class _Event:
    """A point in a stream, which has been passed as soon as it is recorded."""

    done = True

    def __init__(
        self, block: Any = False, disable_timing: Any = False,
        interprocess: Any = False,
    ) -> None:  # fmt: skip
        self.timed, self.ptr = not disable_timing, id(self)
        self.at: float | None = None

    def record(self, stream: Any = None) -> None:
        if not isinstance(stream, (_Stream, type(None))):
            raise TypeError(f"no stream: {stream}")
        self.at = time.perf_counter()

    def synchronize(self) -> None:
        pass


def _elapsed(start_event: Any, end_event: Any) -> float:
    if not (start_event.timed and end_event.timed):
        raise ValueError("events without timing")
    return 1e3 * (end_event.at - start_event.at)


_Stream.null = _null = _Stream(null=True)  # type: ignore[attr-defined]  # as CuPy has it
_current: dict[int, _Stream] = {}


def _current_stream(device_id: int = -1) -> _Stream:
    return _current.get(current_device() if device_id < 0 else device_id, _null)


class _Pool:
    """A memory pool that counts nothing."""

    def used_bytes(self) -> int:
        return 0

    total_bytes = free_bytes = get_limit = used_bytes

    def set_limit(self, size: Any = None, fraction: Any = None) -> None:
        pass

    def free_all_blocks(self, stream: Any = None) -> None:
        pass

    def malloc(self, size: int) -> Any:
        raise NotImplementedError("the stand-in's arrays are NumPy's")


_allocators: list[Any] = [_Pool().malloc]


def _set_allocator(allocator: Any = None) -> None:
    _allocators[0] = allocator


def _as_strided(x: Any, shape: Any = None, strides: Any = None) -> Any:
    shape = x.shape if shape is None else shape
    strides = x.strides if strides is None else strides
    return ndarray(shape, x.dtype, x.data, strides)


def _broadcast_to(array: Any, shape: Any) -> Any:
    """CuPy's, unlike NumPy's, may be written to."""
    return _as_strided(array, shape, np.broadcast_to(unwrapped(array), shape).strides)


# Of an H100, as CUDA tells them.
PROPERTIES = {
    "name": b"Stand-in for CuPy", "major": 9, "minor": 0, "totalGlobalMem": 1 << 34,
    "multiProcessorCount": 132, "maxThreadsPerMultiProcessor": 2048, "warpSize": 32,
    "maxThreadsPerBlock": 1024, "sharedMemPerBlock": 49152, "regsPerBlock": 65536,
}  # fmt: skip


class _Grid:
    """`ogrid` and `mgrid`, made on the device."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def __getitem__(self, index: Any) -> Any:
        return wrapped(self._host[index])


DEVICES = 2  # how many the stand-in has
_pool = _Pool()
OWN: dict[tuple[str, str], Any] = {
    ("cupy", "ndarray"): ndarray,
    ("cupy", "ogrid"): _Grid(np.ogrid),
    ("cupy", "mgrid"): _Grid(np.mgrid),
    ("cupy", "asarray"): _asarray,
    ("cupy", "asnumpy"): _asnumpy,
    ("cupy", "get_array_module"): _get_array_module,
    ("cupy", "shares_memory"): _shares_memory,
    ("cupy", "may_share_memory"): _shares_memory,
    ("cupy", "broadcast_to"): _broadcast_to,
    ("cupy", "copyto"): _copyto,
    ("cupy", "get_default_memory_pool"): lambda: _pool,
    ("cupy.lib.stride_tricks", "as_strided"): _as_strided,
    ("cupy.cuda", "Device"): Device,
    ("cupy.cuda", "get_device_id"): current_device,
    ("cupy.cuda", "Stream"): _Stream,
    ("cupy.cuda", "Event"): _Event,
    ("cupy.cuda", "MemoryPool"): _Pool,
    ("cupy.cuda", "get_allocator"): lambda: _allocators[0],
    ("cupy.cuda", "set_allocator"): _set_allocator,
    ("cupy.cuda", "get_current_stream"): _current_stream,
    ("cupy.cuda", "get_elapsed_time"): _elapsed,
    ("cupy.cuda.runtime", "getDeviceCount"): lambda: DEVICES,
    ("cupy.cuda.runtime", "deviceGetPCIBusId"): lambda device: (
        f"0000:{device:02x}:00.0"
    ),
    ("cupy.cuda.runtime", "deviceSynchronize"): lambda: None,
    ("cupy.cuda.runtime", "deviceCanAccessPeer"): lambda mine, other: 0,
    ("cupy.cuda.runtime", "getDeviceProperties"): lambda device: dict(PROPERTIES),
    ("cupy.cuda.runtime", "memGetInfo"): lambda: Device().mem_info,
    ("cupyx", "scatter_add"): _scatter(SCATTERED["add"]),
    ("cupyx", "scatter_max"): _scatter(SCATTERED["max"]),
    ("cupyx", "scatter_min"): _scatter(SCATTERED["min"]),
    ("cupyx.scipy.special", "logsumexp"): _logsumexp,
}
