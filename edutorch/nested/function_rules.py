"""Rules for functions on nested tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops import stack
from ..overrides import DisableTorchFunctionSubclass
from ..tensor.tensor import Tensor
from . import shapes
from .broadcasting import broadcast_to_values, same_structure, shape_text
from .components import CALLED, map_components, strided_refusal
from .function_names import (
    ALIASES,
    BINARY,
    COMPARISONS,
    LIKE_FUNCTIONS,
    NOT_IN_PLACE,
    OPERATORS,
    QUERIES,
    REDUCTIONS,
    STRIDED_BINARY,
    STRIDED_COMPARISONS,
    STRIDED_NOT_IN_PLACE,
    STRIDED_UNARY,
    STRUCTURE_PRESERVING,
    UNARY,
)
from .layouts import Jagged, Strided
from .reductions import reduced
from .tensor import SIZES_REFUSED, NestedTensor, nest, values_of

__all__ = ["dispatch"]


def dispatch(func: Any, args: Any, kwargs: Any) -> Any:
    """The result of a function that was called with nested tensors.

    Raises:
        NotImplementedError: for functions that nested tensors do not know.
    """
    name = func.__name__
    if name == "__get__":
        name = getattr(func.function, "__name__", name)
    name = OPERATORS.get(name, name)
    nested = list(_nested_args((*args, *kwargs.values())))
    first = nested[0]
    if len({type(x._structure) for x in nested}) > 1:
        raise RuntimeError(SIZES_REFUSED)
    if func.__name__ in ("__eq__", "ne") and not isinstance(
        args[1], (Tensor, *NUMBERS)
    ):
        return name == "ne"  # what Python gives for objects of other types
    with DisableTorchFunctionSubclass():
        if name in QUERIES:
            return func(first, *map(values_of, args[1:]), **kwargs)
        if name in STRUCTURE_PRESERVING | LIKE_FUNCTIONS:
            return _same_structure(func, first, args, kwargs, name)
        if name in SPECIAL:
            return SPECIAL[name](func, *args, **kwargs)
        single = name[:-1] if name.endswith("_") and not name.endswith("__") else name
        _need_known(name, ALIASES.get(single, single), first, args)
        found = _pointwise(func, name, first, args, kwargs)
    return first if single != name else found


NUMBERS = int, float, complex, np.generic


def _nested_args(values: Any) -> Any:
    for value in values:
        if isinstance(value, NestedTensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _nested_args(value)


def _need_known(name: str, single: str, x: NestedTensor, args: Any) -> None:
    in_place = name.endswith("_") and not name.endswith("__")
    number = len(args) > 1 and not isinstance(args[-1], Tensor)
    if isinstance(x._structure, Jagged):
        if single not in UNARY | BINARY or (in_place and single in NOT_IN_PLACE):
            kind = "Scalar" if number else "Tensor" if len(args) > 1 else "default"
            raise NotImplementedError(
                f"aten.{name}.{kind if single in NOT_IN_PLACE else 'default'}"
            )
        return
    known = single in STRIDED_UNARY | STRIDED_BINARY
    if name in ("__rsub__", "__rtruediv__"):  # a 0-d tensor is the first operand
        known = not number
    if in_place and single in STRIDED_NOT_IN_PLACE:
        known = False
        if len(args) > 1:
            scalar = number and single not in ("sub", "div")
            name += ".Scalar" if scalar else ".Tensor"
    if single in COMPARISONS and not in_place:
        kind = "Scalar" if number else "Tensor"
        known, name = single in STRIDED_COMPARISONS[kind], f"{single}.{kind}"
    if not known:
        if single == "where":
            raise RuntimeError("self must not be nested")
        if single == "pow" and not number:
            name = "pow.Tensor_Tensor"
        raise strided_refusal(CALLED.get(name, name))


def _same_structure(
    func: Any, x: NestedTensor, args: Any, kwargs: Any, name: str
) -> Any:
    """Apply a function to the values; the structure stays."""
    values, structure = values_of(x), x._structure
    if name in ("rand_like", "full_like") and isinstance(structure, Strided):
        raise strided_refusal(name)
    if name == "contiguous" and not x.is_contiguous():
        values, structure = structure.joined(structure.parts(values))
    if name in ("detach", "data"):
        return nest(values.detach(), structure)
    found = func(values, *args[1:], **kwargs)
    return nest(found, structure) if isinstance(found, Tensor) else found


def _pointwise(func: Any, name: str, x: NestedTensor, args: Any, kwargs: Any) -> Any:
    """A function of corresponding elements."""
    if kwargs.get("rounding_mode") and isinstance(x._structure, Strided):
        raise strided_refusal("div.Tensor_mode")
    if len([a for a in args if isinstance(a, Tensor)]) > 1:
        same_structure(name, args)
        args = broadcast_to_values(name, args, x)
    found = func(*[values_of(a) for a in args], **kwargs)
    return nest(found, x._structure) if isinstance(found, Tensor) else found


def _copy(func: Any, x: NestedTensor, source: Any, *more: Any, **kwargs: Any) -> Any:
    """Only nested tensors of the same layout are copied."""
    if not (isinstance(source, NestedTensor) and source.layout is x.layout):
        if isinstance(x._structure, Strided):
            raise RuntimeError("get_nested_tensor_impl requires a NestedTensor.")
        raise ValueError(
            "NestedTensor copy_default(self: jt_all, src: jt_all, non_blocking: any?): "
            "expected src to be a jagged layout NestedTensor"
        )
    if [p.shape for p in x.unbind()] != [p.shape for p in source.unbind()]:
        if isinstance(x._structure, Strided):
            raise RuntimeError(
                "copy_ only supports tensors that are the same size for Nested "
                "implementations"
            )
        described = [f"torch.Size([{shape_text(t)}])" for t in (x, source)]
        raise RuntimeError(
            "copy_(): expected compatible input and src shapes, but got: "
            f"{described[0]} and {described[1]}"
        )
    func(values_of(x), values_of(source), *more, **kwargs)
    return x


def _is_same_size(func: Any, x: Any, other: Any) -> bool:
    a, b = x._structure, other._structure
    if isinstance(a, Strided):
        return bool(a.shapes == b.shapes)
    return a.offsets is b.offsets and [*x.shape] == [*other.shape]


def _stride(func: Any, x: Any, dim: int | None = None) -> Any:
    """The strides of the padded tensor; a factor of unknown size has a name."""
    values, structure = values_of(x), x._structure
    if isinstance(structure, Strided):
        x.tolist()  # which is refused
    inner = values.stride()
    row = values.stride(structure.ragged - 1)
    strides = (row * structure.symbol, *inner)
    return strides if dim is None else strides[dim]


def _linear(func: Any, input: Any, weight: Any, bias: Any = None) -> Any:
    values, structure = values_of(input), input._structure
    if isinstance(structure, Jagged):
        return nest(func(values, weight, bias), structure)
    width = weight.shape[1]
    found = func(values.view(-1, width), weight, bias)
    shapes = tuple((*s[:-1], weight.shape[0]) for s in structure.shapes)
    return nest(found.reshape(-1), Strided(shapes))


def _matmul(func: Any, x: Any, y: Any) -> Any:
    nested = isinstance(x, NestedTensor), isinstance(y, NestedTensor)
    if not all(isinstance(t, Tensor) for t in (x, y)):
        return func(values_of(x), values_of(y))  # which is refused
    _check_ndim(func.__name__, x, y)
    if isinstance((x if nested[0] else y)._structure, Strided):
        if func.__name__ == "bmm" and y.ndim == 3 and not nested[1]:
            return map_components(lambda a, b: a @ b, x, y)
        if not all(nested):
            words = ["nested" if n else "non-nested" for n in nested]
            words[0] = f"a {words[0]}"
            raise RuntimeError(
                f"Expected both to be nested, but got {words[0]} self and {words[1]} "
                "other"
            )
        return map_components(lambda a, b: a @ b, x, y.unbind())
    return _jagged_matmul(x, y, nested)


def _check_ndim(name: str, x: Any, y: Any) -> None:
    """Refuse products of parts that are vectors."""
    jagged = isinstance((x if isinstance(x, NestedTensor) else y)._structure, Jagged)
    for t, first in ((x, True), (y, False)):
        if name == "bmm" and t.dim() != 3:
            if jagged:
                raise ValueError(f"bmm(): {'input' if first else 'mat2'} must be 3D")
            raise RuntimeError(f"batch{2 - first} must be a 3D tensor")
        if not jagged and isinstance(t, NestedTensor) and t.dim() < 3:
            raise RuntimeError(
                "matmul: For nested tensors, only inputs with >= 3 dims are currently "
                f"supported. {'1st' if first else '2nd'} input has rank: {t.dim()}"
            )


def _jagged_matmul(x: Any, y: Any, nested: tuple[bool, bool]) -> Any:
    if nested[0] and not nested[1] and x._structure.ragged < x.dim() - 1:
        if y.ndim == 2:
            return nest(values_of(x) @ y, x._structure)
        if y.ndim > 2:
            return map_components(lambda a, b: a @ b, x, y)
    ragged = [getattr(t, "_structure", Jagged(x)).ragged for t in (x, y)]
    if all(nested) and ragged == [1, 1] and x.dim() == y.dim() > 3:
        same_structure("matmul", (x, y))
        return nest(values_of(x) @ values_of(y), x._structure)
    last, before = x.dim() - 1, y.dim() - 2
    if all(nested) and ragged == [last, before] and last > 1:
        pairs = zip(x.unbind(), y.unbind(), strict=True)
        return stack([a @ b for a, b in pairs])
    described = x._structure.text(x._data) if nested[0] else f"{tuple(x.shape)}"
    raise RuntimeError(
        f"matmul(): not supported between inputs of shapes {described} and {y.shape}"
    )


def _softmax(func: Any, input: Any, dim: int, *more: Any, **kwargs: Any) -> Any:
    name, found = func.__name__, dim % input.dim()
    jagged = isinstance(input._structure, Jagged)
    if not jagged and name != "softmax":
        raise strided_refusal(CALLED.get(name, name))
    if found == 0:
        raise RuntimeError(
            f"{name}(): not supported when reducing across the batch dimension for "
            "NestedTensor"
            if jagged
            else f"Cannot apply {name} across nested dimension 0"
        )
    if jagged and found == input._structure.ragged and name != "softmax":
        raise RuntimeError(
            f"{name}(): not supported when reducing along the ragged dimension for "
            "NestedTensor"
        )
    if jagged and found != input._structure.ragged:
        made = func(values_of(input), found - 1, *more, **kwargs)
        return nest(made, input._structure)
    return map_components(lambda p: func(p, found - 1, *more, **kwargs), input)


def _layer_norm(
    func: Any, input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None,
    *more: Any, **kwargs: Any,
) -> Any:  # fmt: skip
    given = normalized_shape, weight, bias, *more
    values, structure = values_of(input), input._structure
    if isinstance(structure, Jagged):
        return nest(func(values, *given, **kwargs), structure)
    if weight is None or bias is None:
        raise ValueError("NestedTensor layer_norm requires weight and bias")
    found = func(values.view(-1, *weight.shape), *given, **kwargs)
    return nest(found.reshape(-1), structure)


def _dropout(func: Any, input: Any, *args: Any, **kwargs: Any) -> Any:
    found = func(values_of(input), *args, **kwargs)
    return nest(found, input._structure)


def _embedding(func: Any, input: Any, weight: Any, *args: Any, **kwargs: Any) -> Any:
    found, structure = func(values_of(input), weight, *args, **kwargs), input._structure
    if isinstance(structure, Jagged):
        return nest(found, structure)
    shapes = tuple((*s, weight.shape[1]) for s in structure.shapes)
    return nest(found.reshape(-1), Strided(shapes))


def _attention(
    func: Any, query: Any, key: Any, value: Any, attn_mask: Any = None,
    dropout_p: float = 0.0, is_causal: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    if attn_mask is not None:
        raise ValueError("Masks are not yet supported!")
    return map_components(
        lambda q, k, v: func(q, k, v, None, dropout_p, is_causal, **kwargs),
        query, key.unbind(), value.unbind(),
    )  # fmt: skip


def _backward(
    func: Any, x: Any, gradient: Any = None, *args: Any, **kwargs: Any
) -> None:
    func(x, values_of(gradient), *args, **kwargs)


SPECIAL: dict[str, Callable[..., Any]] = {
    "linear": _linear, "matmul": _matmul, "bmm": _matmul, "softmax": _softmax,
    "log_softmax": _softmax, "softmin": _softmax, "layer_norm": _layer_norm,
    "rms_norm": _layer_norm, "dropout": _dropout, "alpha_dropout": _dropout,
    "embedding": _embedding, "backward": _backward, "is_same_size": _is_same_size,
    "stride": _stride, "copy_": _copy,
    "scaled_dot_product_attention": _attention, **shapes.BY_NAME,
    **dict.fromkeys(REDUCTIONS, reduced),
}  # fmt: skip
NestedTensor._run = staticmethod(dispatch)
