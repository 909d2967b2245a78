"""Rules for functions on nested tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import stack
from ..overrides import DisableTorchFunctionSubclass
from ..tensor.tensor import Tensor
from . import shapes
from .broadcasting import broadcast_to_values, same_structure
from .components import CALLED, map_components, strided_refusal
from .function_names import (
    BINARY,
    LIKE_FUNCTIONS,
    OPERATORS,
    QUERIES,
    REDUCTIONS,
    STRIDED_BINARY,
    STRIDED_UNARY,
    STRUCTURE_PRESERVING,
    UNARY,
)
from .layouts import Jagged, Strided
from .reductions import reduced
from .tensor import NestedTensor, nest, values_of

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
    first = next(_nested_args((*args, *kwargs.values())))
    with DisableTorchFunctionSubclass():
        if name in QUERIES:
            return func(first, *map(values_of, args[1:]), **kwargs)
        if name in STRUCTURE_PRESERVING | LIKE_FUNCTIONS:
            return _same_structure(func, first, args, kwargs, name)
        if name in SPECIAL:
            return SPECIAL[name](func, *args, **kwargs)
        single = name[:-1] if name.endswith("_") and not name.endswith("__") else name
        _need_known(name, single, first)
        found = _pointwise(func, name, first, args, kwargs)
    return first if single != name else found


def _nested_args(values: Any) -> Any:
    for value in values:
        if isinstance(value, NestedTensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _nested_args(value)


def _need_known(name: str, single: str, x: NestedTensor) -> None:
    if isinstance(x._structure, Jagged):
        if single not in UNARY | BINARY:
            raise NotImplementedError(f"aten.{name}.default")
    elif single not in STRIDED_UNARY | STRIDED_BINARY:
        if single == "where":
            raise RuntimeError("self must not be nested")
        raise strided_refusal(CALLED.get(name, name))


def _same_structure(
    func: Any, x: NestedTensor, args: Any, kwargs: Any, name: str
) -> Any:
    """Apply a function to the values; the structure stays."""
    values, structure = values_of(x), x._structure
    if name in ("rand_like", "randn_like") and isinstance(structure, Strided):
        raise strided_refusal(name)
    if name == "contiguous" and not x.is_contiguous():
        values, structure = structure.joined(structure.parts(values))
    if name == "detach":
        values = values.detach()
    found = func(values, *args[1:], **kwargs)
    return nest(found, structure)


def _pointwise(func: Any, name: str, x: NestedTensor, args: Any, kwargs: Any) -> Any:
    """A function of corresponding elements."""
    if len([a for a in args if isinstance(a, Tensor)]) > 1:
        same_structure(name, args)
        args = [broadcast_to_values(a, x) for a in args]
    values = [values_of(a) for a in args]
    return nest(func(*values, **kwargs), x._structure)


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
    if isinstance((x if nested[0] else y)._structure, Strided):
        if not all(nested):
            words = ["a nested" if n else "non-nested" for n in nested]
            raise RuntimeError(
                f"Expected both to be nested, but got {words[0]} self and {words[1]} "
                "other"
            )
        return map_components(lambda a, b: a @ b, x, y.unbind())
    return _jagged_matmul(x, y, nested)


def _jagged_matmul(x: Any, y: Any, nested: tuple[bool, bool]) -> Any:
    if nested[0] and not nested[1] and x._structure.ragged < x.dim() - 1:
        if y.ndim <= 2:
            return nest(values_of(x) @ y, x._structure)
        return map_components(lambda a, b: a @ b, x, y)
    last, before = x.dim() - 1, y.dim() - 2
    if all(nested) and (x._structure.ragged, y._structure.ragged) == (last, before):
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
    "embedding": _embedding, "backward": _backward,
    "scaled_dot_product_attention": _attention, **shapes.BY_NAME,
    **dict.fromkeys(REDUCTIONS, reduced),
}  # fmt: skip
NestedTensor._run = staticmethod(dispatch)
