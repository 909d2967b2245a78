"""Reductions of nested tensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import dtypes
from ..ops import cat, stack
from ..tensor.tensor import Tensor
from .components import map_components, strided_refusal
from .layouts import Strided
from .tensor import nest, values_of

__all__ = ["reduced"]


def reduced(
    func: Any, x: Any, dim: Any = None, keepdim: bool = False, **kwargs: Any
) -> Any:
    """A reduction of all elements, of each part, or inside of the parts."""
    name, structure = func.__name__, x._structure
    if isinstance(structure, Strided):
        return _strided_sum(func, x, dim, keepdim)
    if dim is None:
        return func(cat([p.reshape(-1) for p in x.unbind()]), **kwargs)
    given = (dim,) if isinstance(dim, int) else tuple(dim)
    dims = sorted(d % x.dim() for d in given)
    ragged = structure.ragged
    if 0 in dims and ragged not in dims:
        raise RuntimeError(
            f"{name}(): reducing along the batch dimension but not the ragged "
            "dimension is not supported for nested tensors"
        )
    if ragged in dims and 0 not in dims:
        if len(dims) > 1:
            raise RuntimeError(
                f"{name}(): reducing along a ragged and non-batch dimension is not "
                "supported for nested tensors"
            )
        parts = x.unbind()
        if name == "mean" and not (x.is_floating_point() or x.is_complex()):
            parts = tuple(p.to(dtypes.get_default_dtype()) for p in parts)
        return _stacked([func(p, ragged - 1, keepdim, **kwargs) for p in parts])
    axes = [d - 1 for d in dims if d]
    axis = axes if not isinstance(dim, int) else axes[0]
    found = func(values_of(x), axis, keepdim, **kwargs)
    if 0 in dims:
        return found
    lost = 0 if keepdim else len([d for d in dims if d < ragged])
    return _nested_each(found, replace(structure, ragged=ragged - lost))


def _stacked(parts: list[Any]) -> Any:
    """Results of all parts, also pairs of values and places."""
    if isinstance(parts[0], Tensor):
        return stack(parts)
    return type(parts[0])(*(stack(list(column)) for column in zip(*parts, strict=True)))


def _nested_each(found: Any, structure: Any) -> Any:
    if isinstance(found, Tensor):
        return nest(found, structure)
    return type(found)(*(nest(v, structure) for v in found))


def _strided_sum(func: Any, x: Any, dim: Any, keepdim: bool) -> Any:
    if func.__name__ != "sum" or dim is None:
        raise strided_refusal(func.__name__)
    if not isinstance(dim, int):
        raise RuntimeError(
            "NestedTensor only allows reduction of a single dimension for now."
        )
    if dim % x.dim() != x.dim() - 1:
        raise RuntimeError(
            "NestedTensor can only be reduced across the last dimension for now got "
            f"dimension {dim} instead."
        )
    if not keepdim:
        raise RuntimeError("NestedTensor always requires keepdim=True for now.")
    return map_components(lambda p: p.sum(-1, True), x)
