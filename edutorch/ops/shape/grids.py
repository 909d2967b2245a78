"""Grids and products of vectors."""

from __future__ import annotations

from itertools import combinations as _combinations
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ...autograd.op_errors import type_name
from ...backends.flags import warn_once
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_each, type_error
from ..argument_errors import parser_errors
from ..create.from_data import tensor
from ..dims import ndim_of
from ..index.masked import masked_select
from ..int_arguments import int_of
from ..registration import composite, public
from .broadcasting import expand_to
from .joining import stack
from .views import reshape

__all__ = ["cartesian_prod", "combinations", "meshgrid"]


@composite
@parser_errors
@reported
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Expand each vector over the grid spanned by all vectors.

    Math: y_k[i0, i1, ...] = x_k[i_k]
          ∂L/∂x_k[i] = Σ g_k over the cells with i_k = i
    Shape: (n), (m) -> (n, m), (n, m), or (m, n) with indexing="xy"

    Raises:
        RuntimeError: for tensors of more than one dimension or of different dtypes.

    Example:
        >>> import edutorch as torch
        >>> x, y = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
        >>> y
        tensor([[0, 1, 2],
                [0, 1, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    _check_grid(tensors, indexing)
    if indexing is None:
        warn_once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the "
            "indexing argument."
        )
    swap = indexing == "xy" and len(tensors) >= 2
    if swap:
        tensors = (tensors[1], tensors[0], *tensors[2:])
    shape = tuple(t.numel() for t in tensors)
    grids = []
    for i, t in enumerate(tensors):
        line = reshape(t, (shape[i], *(1,) * (len(shape) - 1 - i)))
        grids.append(expand_to(line, shape))
    if swap:
        return grids[1], grids[0], *grids[2:]
    return tuple(grids)


def _empty_text(x: Tensor) -> str:
    """What PyTorch's C++ prints of a tensor without elements."""
    sizes = ",".join(str(n) for n in x.shape)
    return f"[ {type_name(x)}{{{sizes}}} ]"


def _check_grid(tensors: tuple[Any, ...], indexing: str | None) -> None:
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    need_each(tensors)
    for t in tensors:
        if t.dtype is not tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
        if t.ndim > 1:
            shown = str(t) if t.numel() else _empty_text(t)
            raise RuntimeError(
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                f"{shown}"
            )
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: '
            f"{indexing}"
        )


@composite
@reported
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """The Cartesian product of vectors, as rows.

    Math: y = every (x₁[i], x₂[j], ..), a row for each
          ∂L/∂xₖ[i] = Σ g over the rows that xₖ[i] is in
    Shape: (n), (m) -> (n · m, 2);  (n) -> (n)

    Raises:
        RuntimeError: for anything but vectors.

    Example:
        >>> import edutorch as torch
        >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
        tensor([[1, 3],
                [1, 4],
                [2, 3],
                [2, 4]])
    """
    need_each(tensors)
    for t in tensors:
        if t.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return stack([reshape(g, (g.numel(),)) for g in grids], 1)


@public("combinations")
@composite
@reported
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """The combinations of `r` elements of a vector, as rows.

    Math: y = every choice of r of the x, a row for each
          ∂L/∂x[i] = Σ g over the rows that x[i] is in
    Shape: (n) -> (n choose r, r)

    Raises:
        RuntimeError: for anything but a vector, or r below 0.

    Example:
        >>> import edutorch as torch
        >>> torch.combinations(torch.tensor([1, 2, 3]))
        tensor([[1, 2],
                [1, 3],
                [2, 3]])
    """
    if with_replacement is not False and with_replacement is not True:
        raise type_error("bool", "with_replacement", with_replacement, "combinations")
    r = int_of(r, "r", "combinations")
    if ndim_of(input, "combinations") != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return input.detach()[:0]
    choose: Any = combinations_with_replacement if with_replacement else _combinations
    rows = np.array(list(choose(range(len(input)), r)), dtype=np.int64).reshape(-1, r)
    mask = np.zeros((len(input),) * r, bool)
    mask[tuple(rows.T)] = True
    chosen = tensor(mask, device=input.device)
    grids = meshgrid(*[input] * r, indexing="ij")
    return stack([masked_select(grid, chosen) for grid in grids], 1)
