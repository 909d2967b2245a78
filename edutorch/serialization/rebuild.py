"""Rebuilds tensors and parameters from checkpoints, and checks every part."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from .. import devices, dtypes
from ..layouts import (
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from ..nn.parameter import Parameter
from ..ops.convert.copy_pickle import as_class, rebuild_meta, with_lazy_flags
from ..ops.sparse import sparse_compressed_tensor, sparse_coo_tensor
from ..tensor.tensor import Tensor
from .allowed_globals import is_allowed
from .errors import NotAllowedError, corrupted
from .storages import view
from .weights_only_unpickler import Builder, ClassBuilder

__all__ = [
    "CLASSES", "LAYOUTS", "empty_parameter", "empty_tensor", "require", "from_type",
    "meta_tensor", "moved_tensor", "tensor_v1", "parameter", "parameter_with_state",
    "quantized_tensor", "sparse_tensor", "tensor", "tensor_v3",
]  # fmt: skip

LAYOUTS = (strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc)


def require(condition: bool, what: str) -> None:
    """Refuse a file unless something about it is true.

    Raises:
        UnpicklingError: naming the fault.
    """
    if not condition:
        raise corrupted(what)


def tensor_v1(storage: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor of PyTorch 0.3 and older, where tensors had no gradients."""
    return view(storage, offset, size, stride)


def tensor(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any,
    metadata: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor whose storage has its dtype."""
    return _with_grad_and_hooks(
        view(storage, offset, size, stride), grad, hooks, metadata
    )


def tensor_v3(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any,
    dtype: Any, metadata: Any = None,
) -> Tensor:  # fmt: skip
    """A tensor whose storage has no type."""
    require(isinstance(dtype, dtypes.dtype), "a tensor's dtype is none")
    made = view(storage, offset, size, stride, dtype)
    return _with_grad_and_hooks(made, grad, hooks, metadata)


def _with_grad_and_hooks(made: Tensor, grad: Any, hooks: Any, metadata: Any) -> Tensor:
    require(type(grad) is bool, "requires_grad is not true or false")
    require(type(hooks) is OrderedDict and not hooks, "a tensor brings hooks")
    if metadata is not None:
        made = _with_lazy_flags(made, metadata)
    made.requires_grad = grad
    return made


def _with_lazy_flags(made: Tensor, metadata: Any) -> Tensor:
    """A tensor whose storage has the conjugate numbers, or the negative ones."""
    require(type(metadata) is dict, "a tensor's metadata is no dictionary")
    for flag, value in metadata.items():
        known = flag in ("conj", "neg") and value is True
        require(known, "a tensor's metadata is unknown")
        require(flag == "neg" or made.is_complex(), "a conjugate of real numbers")
    return with_lazy_flags(made, metadata)


def sparse_tensor(layout: Any, parts: Any) -> Tensor:
    """A sparse tensor; positions outside it are refused by what makes it."""
    require(layout in LAYOUTS[1:] and type(parts) is tuple, "a sparse tensor of none")
    count = 2 if layout is sparse_coo else 3
    require(count < len(parts) < count + 3, "a sparse tensor of other parts")
    arrays, size = parts[:count], parts[count]
    require(all(type(t) is Tensor for t in arrays), "a part that is no tensor")
    require(isinstance(size, tuple), "a sparse tensor without a size")
    integers = all(t._data.dtype.kind == "i" for t in arrays[:-1])
    require(integers, "positions that are no integers")
    more = parts[count + 1 :]
    try:
        if layout is sparse_coo:
            known = {"is_coalesced": more[0]} if more else {}
            return sparse_coo_tensor(arrays[0], arrays[1], size, **known)
        return sparse_compressed_tensor(
            arrays[0], arrays[1], arrays[2], size, layout=layout
        )
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        raise corrupted(str(error)) from None


def moved_tensor(data: Any, dtype: Any, device: Any, grad: Any) -> Tensor:
    """A tensor of a device that has no storages, which was saved as one on the CPU."""
    require(
        type(data) is Tensor and isinstance(dtype, dtypes.dtype), "a tensor of none"
    )
    require(type(device) is str and type(grad) is bool, "a tensor on no device")
    return data.to(devices.to_device(device), dtype).requires_grad_(grad)


def meta_tensor(dtype: Any, size: Any, stride: Any, grad: Any) -> Tensor:
    """A tensor without values."""
    good = isinstance(dtype, dtypes.dtype) and isinstance(size, tuple)
    good = good and isinstance(stride, tuple) and len(size) == len(stride)
    good = good and all(type(n) is int and 0 <= n < 2**62 for n in (*size, *stride))
    require(good and type(grad) is bool, "a tensor without values of no shape")
    return rebuild_meta(dtype, tuple(size), stride, grad)


def quantized_tensor(*parts: Any) -> Tensor:
    """Refuse a quantized tensor.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(
        "Could not run 'aten::quantize_per_tensor': edutorch has no quantized tensors. "
        "Hint: save x.dequantize() instead"
    )


# ---- parameters, subclasses, attributes


def parameter(data: Any, grad: Any, hooks: Any) -> Parameter:
    """A parameter over a tensor."""
    require(type(data) is Tensor, "a parameter is made of something else than a tensor")
    require(type(grad) is bool, "requires_grad is not true or false")
    require(type(hooks) is OrderedDict and not hooks, "a parameter brings hooks")
    return Parameter(data, grad)


def parameter_with_state(data: Any, grad: Any, hooks: Any, state: Any) -> Parameter:
    """A parameter with attributes that a program has set."""
    made = parameter(data, grad, hooks)
    set_attributes(made, state)
    return made


def from_type(function: Any, kind: Any, args: Any, state: Any) -> Any:
    """A tensor of a subclass, or one with attributes that a program has set."""
    good = isinstance(kind, type) and issubclass(kind, Tensor)
    if not good or not (kind in (Tensor, Parameter) or is_allowed(kind)):
        raise NotAllowedError(f"Can not create new object for class {kind}")
    require(callable(function) and type(args) is tuple, "a tensor that nothing makes")
    made = function(*args)
    require(isinstance(made, Tensor), "a tensor that is none")
    made = as_class(made, kind)
    restore = getattr(made, "__setstate__", None)
    if restore is not None:
        restore(state)
    else:
        set_attributes(made, state)
    return made


def set_attributes(made: Tensor, state: Any) -> None:
    """Set the attributes that a program had set: a dictionary, perhaps also slots.

    Raises:
        UnpicklingError: for names of the tensor's own state.
    """
    parts = state if type(state) is tuple else (state, None)
    require(len(parts) == 2, "the attributes of a tensor are none")
    for attributes in parts:
        require(type(attributes) in (dict, type(None)), "attributes of a tensor")
        for name in attributes or ():
            require(type(name) is str, "an attribute of a tensor has no name")
            own = name.startswith("_") and hasattr(Tensor, name)
            require(not own, "a tensor's attribute is part of its own state")
    made.__dict__.update(parts[0] or {})
    for name, value in (parts[1] or {}).items():
        setattr(made, name, value)


# ---- the oldest files: objects are made first and get their state later


def empty_tensor(*args: Any) -> Tensor:
    """A tensor that is to get its state."""
    require(not args, "an old tensor is made of something")
    return Tensor()


def empty_parameter(data: Any = None, grad: Any = True) -> Parameter:
    """A parameter, which may get its state later."""
    require(data is None or type(data) is Tensor, "a parameter that is no tensor")
    return Parameter(data, bool(grad))


def _set_tensor(made: Tensor, state: Any) -> None:
    require(type(state) is tuple and len(state) == 4, "the state of an old tensor")
    source = view(*state)
    made._data, made._storage = source._data, source._storage
    made._device = source._device


def _set_parameter(made: Parameter, state: Any) -> None:
    """(requires_grad, volatile, hooks), with (data, grad ...) before them once."""
    good = type(state) is tuple and len(state) in (3, 5)
    require(good, "the state of an old parameter")
    if len(state) == 5:
        data, _, hooks, grad, volatile = state
        require(type(data) is Tensor, "an old parameter without data")
        made.data = data
        state = (grad, volatile, hooks)
    require(type(state[0]) is bool, "requires_grad is not true or false")
    require(not state[2], "a parameter brings hooks")
    made.requires_grad = state[0]


CLASSES = {
    Tensor: ClassBuilder(Builder(empty_tensor, 0, 0), _set_tensor),
    Parameter: ClassBuilder(Builder(empty_parameter, 0, 2), _set_parameter),
}
