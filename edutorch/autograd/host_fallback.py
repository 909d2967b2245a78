"""Operations that CuPy cannot compute run on the CPU, with a warning.

CuPy has most of NumPy's functions, but not all. If one is missing (a rare
decomposition, a special function), the operation copies its operands to the host,
computes there, and copies the result back. This is correct but slow, so a warning names
the operation once. `computed_on_host` lists the operations concerned.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

from ..backends import on_gpu
from ..kernels.memory_format import match_strides
from . import half_precision

__all__ = ["backward_on_host", "computed_on_host", "forward_on_host", "may_run_on_host"]

computed_on_host: set[str] = set()

# Slots of nodes that never contain arrays.
_NO_ATTRIBUTES = {"edges", "hooks", "needs", "device", "__weakref__", "output_storage"}


def may_run_on_host(error: Exception, *values: Any) -> bool:
    """Whether an error can mean that CuPy lacks a function: arrays are on a GPU.

    Example:
        >>> may_run_on_host(TypeError(), 1.0)
        False
    """
    lacking = isinstance(error, NotImplementedError)  # which is a RuntimeError, too
    if isinstance(error, RuntimeError) and not lacking:
        return False  # an error of this library, or out of memory
    return any(map(_holds_gpu_array, values))


def _holds_gpu_array(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_gpu_array, value))
    return on_gpu(value) and hasattr(value, "get")


def forward_on_host(op: Any, error: Exception, *arrays: Any) -> Any:
    """The result of an op's `forward`, computed on the host.

    Raises:
        Exception: the first error, if the host refuses, too.
    """
    gpu = _device_of(arrays)
    own = _attributes(op)
    hosted = {name: _to_host(value) for name, value in own.items()}
    _set(op, hosted)
    try:
        y = half_precision.forward(op, *map(_to_host, arrays))
    except Exception:  # noqa: BLE001 (the first error explains more)
        raise error from None
    finally:  # what `forward` saved is not moved
        kept = {n: v for n, v in own.items() if getattr(op, n, None) is hosted[n]}
        _set(op, kept)
    _warn(op)
    return _to_gpu(y, gpu)


def backward_on_host(node: Any, error: Exception, gradient: Any) -> Any:
    """The result of a node's `backward`, computed on the host.

    Raises:
        Exception: the first error, if the host refuses, too.
    """
    several = type(gradient) is list
    gpu = _device_of(gradient if several else [gradient])
    running = copy.copy(node)
    _set(running, {n: _to_host(v) for n, v in _attributes(node).items()})
    try:
        sent = [_to_host(g) for g in gradient] if several else [_to_host(gradient)]
        results = running.backward(*sent)
    except Exception:  # noqa: BLE001 (the first error explains more)
        raise error from None
    _warn(node)
    return _to_gpu(results, gpu)


def _warn(op: Any) -> None:
    """Name an operation that runs on the host, once."""
    if op.public not in computed_on_host:
        computed_on_host.add(op.public)
        warnings.warn(
            f"{op.public}: CuPy lacks a function that this needs, so it is computed "
            "on the processor, with copies both ways",
            stacklevel=5,
        )


def _attributes(op: Any) -> dict[str, Any]:
    """The attributes of an op that are, or may contain, arrays."""
    names = set(getattr(op, "__dict__", ()))
    for kind in type(op).__mro__:
        slots = getattr(kind, "__slots__", ())
        names.update((slots,) if isinstance(slots, str) else slots)
    found = {n: getattr(op, n, None) for n in names - _NO_ATTRIBUTES}
    return {n: v for n, v in found.items() if _holds_gpu_array(v)}


def _set(op: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(op, name, value)


def _device_of(values: Any) -> Any:
    """The device of the first array on a GPU."""
    for value in values:
        if isinstance(value, (list, tuple)):
            found = _device_of(value)
            if found is not None:
                return found
        elif _holds_gpu_array(value):
            return value.device
    return None


def _to_host(value: Any) -> Any:
    """A value with NumPy's arrays in place of CuPy's."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_to_host, value))
    return match_strides(value.get(), value) if _holds_gpu_array(value) else value


def _to_gpu(value: Any, gpu: Any) -> Any:
    """A value with CuPy's arrays in place of NumPy's."""
    if isinstance(value, (list, tuple)):
        return type(value)(_to_gpu(v, gpu) for v in value)
    if gpu is None or not hasattr(value, "dtype") or on_gpu(value):
        return value
    import cupy  # optional dependency: arrays of it were met

    with gpu:
        return match_strides(cupy.asarray(value), value)
