"""Rules for functions on masked tensors: for the values, and for the mask."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes, ops
from ..ops.promotion import refuse_dtype
from ..overrides import DisableTorchFunctionSubclass
from ..tensor.tensor import Tensor
from . import reductions

__all__ = ["dispatch", "is_masked"]

Wrap = Callable[[Any, Any], Any]

UNARY = frozenset([
    "abs", "absolute", "acos", "arccos", "acosh", "arccosh", "angle", "asin",
    "arcsin", "asinh", "arcsinh", "atan", "arctan", "atanh", "arctanh",
    "bitwise_not", "ceil", "clamp", "clip", "conj_physical", "cos", "cosh",
    "deg2rad", "digamma", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "fix",
    "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "logit", "i0",
    "isnan", "nan_to_num", "neg", "negative", "positive", "pow", "rad2deg",
    "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sgn", "signbit", "sin",
    "sinc", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "isfinite",
])  # fmt: skip
BINARY = frozenset([
    "add", "atan2", "arctan2", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_left_shift", "bitwise_right_shift", "div", "divide", "floor_divide",
    "fmod", "logaddexp", "logaddexp2", "mul", "multiply", "nextafter", "remainder",
    "sub", "subtract", "true_divide", "eq", "ne", "le", "ge", "greater",
    "greater_equal", "gt", "less_equal", "lt", "less", "maximum", "minimum", "fmax",
    "fmin", "not_equal",
])  # fmt: skip
# Functions that rearrange values and mask in the same way.
REARRANGING = frozenset([
    "__getitem__", "select", "transpose", "swapaxes", "swapdims", "split", "chunk",
    "t", "expand", "expand_as", "view", "view_as", "reshape", "reshape_as",
    "flatten", "unflatten", "cat", "concat", "concatenate", "unsqueeze", "unfold",
    "stack", "narrow", "mT", "ravel",
])  # fmt: skip
REDUCTIONS = frozenset([
    "sum", "mean", "amin", "amax", "argmin", "argmax", "prod", "all", "norm", "var",
    "std",
])  # fmt: skip
# Functions that change the storage of values and leave the mask.
MASK_PRESERVING = frozenset([
    "clone", "detach", "contiguous", "to", "double", "float", "half", "long", "int",
    "short", "char", "bool", "cpu", "type", "type_as", "ones_like", "to_dense",
    "real", "conj",
])  # fmt: skip
# Properties, and what belongs to the graph: the same as for any tensor.
QUERIES = frozenset([
    "size", "dim", "ndimension", "numel", "nelement", "element_size", "stride",
    "storage_offset", "is_contiguous", "is_floating_point", "is_complex",
    "is_signed", "is_same_size", "data_ptr", "get_device", "__len__", "backward",
    "register_hook", "register_post_accumulate_grad_hook", "requires_grad_",
    "retain_grad", "detach_", "is_set_to", "untyped_storage", "storage",
    "is_inference", "is_shared", "is_pinned", "__dir__", "__format__",
])  # fmt: skip
OPERATORS = {
    "__abs__": "abs", "__invert__": "bitwise_not", "__and__": "bitwise_and",
    "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__eq__": "eq",
    "__mod__": "remainder", "__floordiv__": "floor_divide", "__pow__": "pow",
    "__rtruediv__": "div",
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
    "__pos__": "positive", "__lshift__": "bitwise_left_shift",
    "__rshift__": "bitwise_right_shift", "__div__": "div",  "_reverse_dims": "permute",
    "_matrix_transpose": "mT",
}  # fmt: skip


def is_masked(x: Any) -> bool:
    """Whether something is a masked tensor."""
    return getattr(x, "_masked_mask", None) is not None


def dispatch(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    """The result of a function that was called with masked tensors.

    Raises:
        TypeError: for functions that masked tensors do not know.
        ValueError: for masks that differ.
    """
    name = func.__name__
    if name == "__get__":
        name = getattr(func.function, "__name__", name)
    name = OPERATORS.get(name, name)
    with DisableTorchFunctionSubclass():
        if name in QUERIES:
            return func(*args, **kwargs)
        if name in REARRANGING:
            return _moved(func, args, kwargs, wrap)
        if name in MASK_PRESERVING:
            found = func(*args, **kwargs)
            if name == "detach":
                found = found.clone()
            return _with_mask_of(args[0], found, wrap)
        single = name[:-1] if name.endswith("_") and name[-2:] != "__" else name
        if single in UNARY:
            return _unary(func, args, kwargs, wrap, single != name)
        if func.__name__ in ("__eq__", "ne") and not isinstance(args[1], OPERANDS):
            return name == "ne"  # what Python gives for objects of other types
        if single in BINARY or (name in REFLECTED and isinstance(args[1], Tensor)):
            return _binary(func, args, kwargs, wrap, single != name)
        if name in _SPECIAL:
            return _SPECIAL[name](func, args, kwargs, wrap)
    if name in REDUCTIONS:
        return _reduced(name, wrap, *args, **kwargs)
    raise _unknown(name, args)


def _with_mask_of(x: Any, found: Any, wrap: Wrap) -> Any:
    return wrap(found, x._masked_mask) if isinstance(found, Tensor) else found


OPERANDS = Tensor, int, float, complex, np.generic
# Operators that only tensors can be to the left of.
REFLECTED = frozenset(["__rfloordiv__", "__rmod__", "__rsub__"])
# Operators that are refused like unknown ones in Python.
REFUSED = {
    "matmul": "@", "__rmatmul__": "@", "__rsub__": "-", "__rpow__": "** or pow()",
}  # fmt: skip


def _unknown(name: str, args: Any) -> TypeError:
    if name in REFUSED:
        kinds = [f"'{type(a).__name__}'" for a in args]
        first, second = reversed(kinds) if name.startswith("__r") else kinds
        return TypeError(
            f"unsupported operand type(s) for {REFUSED[name]}: {first} and {second}"
        )
    warnings.warn(
        f"{name} is not implemented in __torch_dispatch__ for MaskedTensor.\n"
        "Take `get_data` and `get_mask` apart to compute it.",
        stacklevel=5,
    )
    return TypeError(
        f"Multiple dispatch failed for 'torch._ops.aten.{name}.default'; all "
        "__torch_dispatch__ handlers returned NotImplemented:\n\n"
        "  - tensor subclass <class 'torch.masked.maskedtensor.core.MaskedTensor'>"
    )


def _masks(value: Any) -> Any:
    """Masks instead of masked tensors, also in lists."""
    if isinstance(value, (list, tuple)):
        return type(value)(_masks(v) for v in value)
    return value._masked_mask if is_masked(value) else value


def _moved(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    found = func(*args, **kwargs), func(*_masks(tuple(args)), **kwargs)
    return wrap(*(_copied(v) for v in found))


def _copied(value: Any) -> Any:
    """Views as separate tensors: masked tensors share no memory."""
    if isinstance(value, (list, tuple)):
        return type(value)(_copied(v) for v in value)
    return value.clone()


def _unary(func: Any, args: Any, kwargs: Any, wrap: Wrap, inplace: bool) -> Any:
    if any(k in kwargs for k in ("decimals", "out")):
        raise ValueError(
            "MaskedTensor unary ops require that len(kwargs) == 0. If you need support "
            "for this, please open an issue on Github."
        )
    if any(isinstance(a, Tensor) for a in args[1:]):
        raise TypeError(
            "MaskedTensor unary ops do not support additional Tensor arguments"
        )
    found = func(*args, **kwargs)
    return args[0] if inplace else wrap(found, args[0]._masked_mask)


def _binary(func: Any, args: Any, kwargs: Any, wrap: Wrap, inplace: bool) -> Any:
    if kwargs.get("alpha", 1) != 1 or "rounding_mode" in kwargs or "out" in kwargs:
        raise ValueError("len(kwargs) must equal 0")
    masks = [a._masked_mask for a in args[:2] if is_masked(a)]
    if len(masks) > 1 and not ops.equal(*masks):
        raise ValueError(
            "Input masks must match. If you need support for this, please open an "
            "issue on Github."
        )
    found = func(*args, **kwargs)
    return args[0] if inplace else wrap(found, masks[0].expand_as(found))


def _reduced(
    name: str, wrap: Wrap, input: Any, dim: Any = None, keepdim: bool = False,
    dtype: Any = None, *, axis: Any = None, p: float = 2.0,
) -> Any:  # fmt: skip
    """A reduction, and where it had elements."""
    dim, mask = axis if dim is None else dim, input._masked_mask
    with DisableTorchFunctionSubclass():
        if name == "all":
            data = input.masked_fill(~mask, True)
            found = data.all() if dim is None else data.all(dim, keepdim)
        else:
            more = {"ord": p} if name == "norm" else {}
            found = getattr(reductions, name)(
                input, dim=dim, keepdim=keepdim, dtype=dtype, mask=mask, **more
            )
        left = mask.any() if dim is None else mask.any(dim, keepdim)
    return wrap(found, left)


def _where(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    if len(args) != 3 or kwargs:
        raise ValueError(
            f"__torch_function__, torch.where: len(args) must be 3 but got {len(args)}"
        )
    condition, *both = args
    if not any(isinstance(v, Tensor) for v in both):
        raise TypeError("data must be a Tensor")
    masks = [
        v._masked_mask if is_masked(v) else ops.ones_like(condition, dtype=dtypes.bool_)
        for v in both
    ]
    return wrap(ops.where(condition, *both), ops.where(condition, *masks))


def _softmax(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    x, *more = args
    if not x.dtype.is_floating_point:
        refuse_dtype("masked_softmax", x.dtype)
    filled = x.masked_fill(~x._masked_mask, -float("inf"))
    return wrap(func(filled, *more, **kwargs), x._masked_mask)


def _copy(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    func(*args, **kwargs)  # the mask stays
    return args[0]


def _data(func: Any, args: Any, kwargs: Any, wrap: Wrap) -> Any:
    return wrap(args[0].detach(), args[0]._masked_mask)


_SPECIAL: dict[str, Callable[..., Any]] = {
    "where": _where, "softmax": _softmax, "copy_": _copy, "data": _data,
}  # fmt: skip
