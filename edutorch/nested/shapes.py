"""Shapes of nested tensors, and parts of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from typing import Any

from ..ops import cat as join
from ..ops import tensor
from ..tensor.tensor import Tensor
from .components import CALLED, component_dim, map_components, strided_refusal
from .layouts import Irregular, Jagged, Strided
from .tensor import nest, values_of

__all__ = ["BY_NAME"]


def _transpose(func: Any, x: Any, dim0: int, dim1: int) -> Any:
    a, b = dim0 % x.dim(), dim1 % x.dim()
    structure = x._structure
    if isinstance(structure, Strided):
        if 0 in (a, b) and a != b:
            raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
        return map_components(lambda p: p.transpose(a - 1, b - 1), x)
    if 0 in (a, b):
        raise ValueError(
            "Transpose is not supported on the batch dimension for jagged NT"
        )
    ragged = {a: b, b: a}.get(structure.ragged, structure.ragged)
    values = values_of(x).transpose(a - 1, b - 1)
    return nest(values, replace(structure, ragged=ragged))


def _given_sizes(sizes: Any) -> Any:
    """Numbers given one by one, or as one sequence."""
    return (
        sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    )


def _permute(func: Any, x: Any, *dims: Any) -> Any:
    structure = x._structure
    if isinstance(structure, Strided):
        raise strided_refusal("permute")
    given = _given_sizes(dims)
    order = [d % x.dim() for d in given]
    if not order or order[0] != 0:
        raise ValueError(
            "Permute is not supported on the batch dimension for jagged NT"
        )
    values = values_of(x).permute([d - 1 for d in order[1:]])
    return nest(values, replace(structure, ragged=order.index(structure.ragged)))


def _expand(func: Any, x: Any, *sizes: Any) -> Any:
    structure = x._structure
    if isinstance(structure, Strided):
        raise strided_refusal("expand")
    given = _given_sizes(sizes)
    inner = [-1 if isinstance(n, Irregular) else n for n in given[1:]]
    if len(given) != x.dim() or given[0] not in (-1, structure.batch):
        raise RuntimeError(f"expand(): cannot expand shape {x.shape} -> {list(given)}")
    return nest(values_of(x).expand(inner), structure)


def _expand_as(func: Any, x: Any, other: Any) -> Any:
    return _expand(func, x, other.shape)


def _matrix_transpose(func: Any, x: Any) -> Any:
    return _transpose(func, x, -2, -1)


def _view(func: Any, x: Any, *shape: Any) -> Any:
    batch, *sizes = given = _given_sizes(shape)
    structure, name = x._structure, func.__name__
    if batch != structure.batch or not sizes:
        raise RuntimeError(_view_message(x, name, given))
    if isinstance(structure, Strided):
        return map_components(lambda p: p.reshape(_inherited_sizes(p, sizes)), x)
    places = [i for i, n in enumerate(sizes) if isinstance(n, Irregular) or n == -1]
    if not places:
        raise RuntimeError(_view_message(x, name, given))
    sizes[places[0]] = values_of(x).shape[structure.ragged - 1]
    values = getattr(values_of(x), name)(sizes)
    return nest(values, replace(structure, ragged=places[0] + 1))


def _view_message(x: Any, name: str, given: Any) -> str:
    if isinstance(x._structure, Strided):
        return (
            f"{name}: For now nested {name} cannot change or infer the implicit batch "
            "dimension"
        )
    return (
        f"view(): cannot view shape {x._structure.text(values_of(x))} as {list(given)}"
    )


def _inherited_sizes(part: Tensor, sizes: Any) -> list[int]:
    """Sizes in which those of a part replace -1."""
    return [
        part.shape[i] if n == -1 and i < part.ndim else n for i, n in enumerate(sizes)
    ]


def _inserted(func: Any, x: Any, dim: int) -> Any:
    """`unsqueeze` or `squeeze`."""
    grows = func.__name__ == "unsqueeze"
    place = dim % (x.dim() + grows)
    structure, name = x._structure, func.__name__
    if place == 0:
        if isinstance(structure, Jagged):
            raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
        raise RuntimeError(
            f"{name}(): For nested tensors, {name[:-1]}ing dimension 0 is not "
            "supported at the moment if you need this feature, please open an issue on "
            "github describing your use case."
        )
    if isinstance(structure, Strided):
        return map_components(lambda p: func(p, place - 1), x)
    step = 1 if grows else -1
    ragged = structure.ragged + step * (
        place <= structure.ragged if grows else place < structure.ragged
    )
    return nest(func(values_of(x), place - 1), replace(structure, ragged=ragged))


def _unflatten(func: Any, x: Any, dim: int, sizes: Any) -> Any:
    axis = component_dim(x, dim, "unflatten")
    structure = x._structure
    if isinstance(structure, Strided):
        return x.shape  # which is refused
    if axis < structure.ragged:
        raise RuntimeError("unflatten(): not supported for NestedTensor on ragged dim")
    return nest(func(values_of(x), axis, sizes), structure)


def _flatten(func: Any, x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    if isinstance(x._structure, Strided):
        return x.shape  # which is refused
    start, end = (
        component_dim(x, start_dim, "flatten"),
        component_dim(x, end_dim, "flatten"),
    )
    if start < x._structure.ragged <= end + 1:
        raise RuntimeError("flatten(): not supported for NestedTensor on ragged dim")
    return nest(func(values_of(x), start, end), x._structure)


def _along_inner(func: Any, x: Any, *args: Any, dim: Any = None) -> Any:
    """`chunk`, `split` or `narrow` along a dimension that all parts have."""
    name = func.__name__
    if name == "narrow":
        args = (dim, *args) if dim is not None else args
        dim, args = args[0], args[1:]
    elif dim is None:
        dim = args[1] if len(args) > 1 else 0
        args = args[:1]
    structure = x._structure
    if isinstance(structure, Strided):
        return _strided_pieces(name, x, dim, *args)
    if name == "chunk" and dim % x.dim() == 0:
        return _batches(x, *args)
    axis = component_dim(x, dim, name)
    order = (axis, *args) if name == "narrow" else (*args, axis)
    found = func(values_of(x), *order)
    if isinstance(found, Tensor):
        return nest(found, structure)
    return tuple(nest(v, structure) for v in found)


def _batches(x: Any, chunks: int) -> Any:
    """Nested tensors of some parts each."""
    parts, ragged, made = x.unbind(), x._structure.ragged, []
    step = -(-len(parts) // chunks)
    for start in range(0, len(parts), step):
        group = parts[start : start + step]
        sizes = [p.shape[ragged - 1] for p in group]
        ends = tensor([0, *accumulate(sizes)], device=x.device)
        made.append(nest(join(group, ragged - 1), Jagged(ends, None, ragged)))
    return tuple(made)


def _strided_pieces(name: str, x: Any, dim: int, *args: Any) -> Any:
    structure = x._structure
    if name == "narrow":
        if dim != 0:
            raise RuntimeError(
                f"narrow(): only dim=0 supported for nested tensors, but got: {dim}"
            )
        start, length = args
        return nest(*structure.joined(x.unbind()[start : start + length]))
    if name == "split":
        raise strided_refusal(CALLED[name])
    if dim % x.dim() != x.dim() - 1:
        raise RuntimeError(
            "Chunk for nested tensors is currently only supported for the last "
            "dimension."
        )
    if any(s[-1] % args[0] for s in structure.shapes):
        last = structure.shapes[0][-1]
        raise RuntimeError(
            "Chunk for nested tensors is only supported for nested tensors with "
            f"trailing dimension divisible by chunks, got: {last} % {args[0]} != 0"
        )
    columns = zip(*(p.chunk(*args, -1) for p in x.unbind()), strict=True)
    return tuple(nest(*structure.joined(column)) for column in columns)


def _cat(func: Any, tensors: Any, dim: int = 0) -> Any:
    first, place = tensors[0], dim % tensors[0].dim()
    if isinstance(first._structure, Jagged):
        values = [values_of(t) for t in tensors]
        return nest(join(values, component_dim(first, dim, "cat")), first._structure)
    if place == 0:
        parts = [p for t in tensors for p in t.unbind()]
        return nest(*first._structure.joined(parts))
    columns = zip(*(t.unbind() for t in tensors), strict=True)
    return nest(*first._structure.joined([join(list(c), place - 1) for c in columns]))


def _part(func: Any, x: Any, dim: int, index: int) -> Any:
    if dim % x.dim() == 0:
        return x[index]
    structure = x._structure
    axis = component_dim(x, dim, "select")
    if isinstance(structure, Strided):
        return map_components(lambda p: p.select(axis, index), x)
    ragged = structure.ragged - (axis + 1 < structure.ragged)
    return nest(values_of(x).select(axis, index), replace(structure, ragged=ragged))


BY_NAME: dict[str, Callable[..., Any]] = {
    "transpose": _transpose, "swapaxes": _transpose,
    "permute": _permute, "expand": _expand, "expand_as": _expand_as,
    "_matrix_transpose": _matrix_transpose, "view": _view, "reshape": _view,
    "unsqueeze": _inserted, "squeeze": _inserted, "unflatten": _unflatten,
    "flatten": _flatten, "chunk": _along_inner, "split": _along_inner,
    "narrow": _along_inner, "cat": _cat, "select": _part,
}  # fmt: skip
