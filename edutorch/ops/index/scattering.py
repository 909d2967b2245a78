"""Scattering: writes values along one dimension at given positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply2
from ...backends import array_module
from ...dtypes import bool_
from ...errors import raise_if
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import check_call
from ..convert.copy_fill import castable_number, writable_copy
from ..dims import ABSENT, dim_of, ndim_of
from ..registration import copyto, public
from ..shape.pad import pad
from .gathering import (
    check_entries,
    check_index,
    check_integers,
    flat_indices,
    gather,
    index_along,
)

__all__ = ["scatter", "scatter_add"]


def check_scatter(
    dim: int, x: Tensor, index: Tensor, src: Any, wrong: Exception | None = None
) -> None:
    """Check the operands of `scatter` and `scatter_add`.

    Args:
        wrong: the error for the reduction; raised before indices are looked at.

    Raises:
        RuntimeError: if devices, dtypes or shapes do not fit; PyTorch reads and writes
            memory that is not there where some are on the meta device.
    """
    check_integers("scatter", index)
    if any(isinstance(t, Tensor) and t.is_meta is not x.is_meta for t in (index, src)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two "
            "devices, cpu and meta!"
        )
    if isinstance(src, Tensor) and src._data.dtype != x._data.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    check_index("scatter", x, index, "self")
    if index._data.size:
        _check_sizes(dim, x, index, src)
    raise_if(wrong)
    if index._data.size:
        check_entries(x, dim, index)


def _check_sizes(dim: int, x: Tensor, index: Tensor, src: Any) -> None:
    """Check that an index is no larger than the tensor and the values."""
    shape, own = index._data.shape, x._data.shape
    exceeds = any(
        d != dim and n > m for d, (n, m) in enumerate(zip(shape, own, strict=False))
    )
    if isinstance(src, Tensor):
        larger = any(
            n > m for n, m in zip(shape, src._data.shape or (1,), strict=False)
        )
        if src._data.ndim < len(shape) and not (exceeds or larger):
            dim_of(src._data.ndim, src._data.ndim)
        if max(src._data.ndim, 1) != max(len(shape), 1):
            raise RuntimeError(
                "Index tensor must have the same number of dimensions as src tensor"
            )
        if exceeds or larger:
            raise RuntimeError(
                f"Expected index {list(shape)} to be no larger than self {list(own)} "
                f"apart from dimension {dim} and to be no larger size than src "
                f"{list(src._data.shape)}"
            )
    elif exceeds:
        raise RuntimeError(
            f"Expected index {list(shape)} to be no larger than self {list(own)} apart "
            f"from dimension {dim}"
        )


def write_targets(y: Any, index: Any, dim: int) -> tuple[Any, Any]:
    """The array to write to (with at least one dimension), and where."""
    if not y.ndim or not index.ndim:
        return y.reshape(-1), index.reshape(-1)
    return y, index_along(index, dim)


def source_part(index: Any, src: Any) -> Any:
    """The part of the values that the index covers."""
    if not index.ndim or not src.ndim:
        return src.reshape(-1)[:1]
    return src[tuple(slice(n) for n in index.shape)]


class Scatter(Op):
    """Values written along a dimension at the positions of an index.

    Math: y = x, y[index[i, j], j] = src[i, j]
          ∂L/∂x = g, 0 where written      ∂L/∂src[i, j] = g[index[i, j], j]
    """

    constants = (1,)
    attributes = ("dim",)
    onnx = "ScatterElements"
    saves = (1,)
    complex32_kernel = "scatter_gather_tensor_cpu"

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def check(self, x: Tensor, index: Tensor, src: Any) -> None:
        """Check that index and values fit."""
        check_scatter(self.dim, x, index, src)

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        self.source_shape = tuple(src.shape)
        y = writable_copy(x, order="C")
        if index.size:
            z, positions = write_targets(y, index, self.dim)
            z[positions] = source_part(index, src)
        return y

    def backward(self, g: Any) -> Any:
        index = self.inputs[1]
        gx = apply2(ScatterValue(self.dim, 0), g, index) if self.needs[0] else None
        gsrc = None
        if self.needs[2]:
            gsrc = fit_source(gather(g, self.dim, index), self.source_shape)
        return gx, None, gsrc


def fit_source(g: Any, shape: tuple[int, ...]) -> Any:
    """The gradient of values, of which those beyond the index have no effect.

    PyTorch's has the shape of the index, and is refused where there are more values; in
    forward mode, where it would be half of a JVP, they are allowed.
    """
    if not _m.modes.forward or tuple(g.shape) == shape:
        return g
    missing = [n - m for n, m in zip(shape, g.shape, strict=True)]
    return pad(g, tuple(v for n in reversed(missing) for v in (0, n)))


class ScatterValue(Op):
    """One value written along a dimension at the positions of an index.

    Math: y = x, y[index[i, j], j] = value      ∂L/∂x = g, 0 where written
    """

    constants = (1,)
    attributes = ("dim", "value")
    public = "scatter"
    saves = (1,)
    complex32_kernel = "scatter_gather_tensor_cpu"

    def __init__(self, dim: int, value: Any) -> None:
        self.dim, self.value = dim, value

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "ScatterBackward1"

    def check(self, x: Tensor, index: Tensor) -> None:
        """Check that the index fits."""
        check_scatter(self.dim, x, index, None)

    def forward(self, x: Any, index: Any) -> Any:
        y = writable_copy(x, order="C")
        if index.size:
            z, positions = write_targets(y, index, self.dim)
            z[positions] = self.value
        return y

    def backward(self, g: Any) -> Any:
        return apply2(ScatterValue(self.dim, 0), g, self.inputs[1]), None


class ScatterCombine(Op):
    """Values added or multiplied along a dimension at the positions of an index."""

    attributes = ("dim", "reduce")
    public = "scatter"
    saves = ()
    complex32_kernel = "scatter_gather_tensor_cpu"

    def name(self) -> str:
        """PyTorch's name of the node, which has no derivative."""
        return "NotImplemented"

    def __init__(self, dim: int, reduce: str) -> None:
        self.dim, self.reduce = dim, reduce

    def check(self, x: Tensor, index: Tensor, src: Any) -> None:
        """Check that index and values fit, and the reduction."""
        known = self.reduce in _COMBINE
        wrong = RuntimeError("reduce argument must be either add or multiply.")
        check_scatter(self.dim, x, index, src, None if known else wrong)

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        y = writable_copy(x, order="C")
        if index.size:
            z, positions = write_targets(y, index, self.dim)
            combine = getattr(array_module(z), self.reduce)
            combine.at(z, positions, source_part(index, src) if np.ndim(src) else src)
        return y


_COMBINE = ("add", "multiply")


@public("scatter", inplace="scatter_")
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None,
    reduce: Any = ABSENT, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A copy with values (or one value) written at the positions of an index.

    Math: y = x, y[index[i, j], j] = src[i, j] for dim 0
          ∂L/∂x = g, 0 where written      ∂L/∂src[i, j] = g[index[i, j], j]
    Shape: (n, m), (k, l), (k, l) -> (n, m), with l <= m for dim 0

    Args:
        reduce: "add" or "multiply" instead of overwriting; without gradients.

    Raises:
        RuntimeError: for entries that do not exist, or shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.scatter(torch.zeros(2, 3), 1, torch.tensor([[2], [0]]), 1.0)
        tensor([[0., 0., 1.],
                [1., 0., 0.]])
    """
    dim = dim_of(dim, ndim_of(input, "scatter"), "scatter")
    if isinstance(value, Tensor):  # which counts as a number if it is constant
        check_call(value.ndim == 0 and not value._requires_grad)
    src = value if src is None else src
    if reduce is not ABSENT:
        number = not isinstance(src, Tensor)
        check_call(isinstance(reduce, str) and not (number and np.ndim(src)))
        if number and reduce in _COMBINE:
            src = castable_number(src, input)
            src = bool(src) if input.dtype is bool_ else src
        result = apply(ScatterCombine(dim, reduce), input, index, src)
    elif isinstance(src, Tensor):
        result = apply(Scatter(dim), input, index, src)
    else:
        result = apply2(ScatterValue(dim, castable_number(src, input)), input, index)
    if out is None:
        return result
    disjoint, variant = (index, src, value), "" if reduce is ABSENT else "reduce"
    return copyto(out, result, "scatter", (input,), disjoint=disjoint, variant=variant)


class ScatterAdd(Scatter):
    """Values added along a dimension at the positions of an index.

    Math: y = x, y[index[i, j], j] += src[i, j]
          ∂L/∂x = g      ∂L/∂src[i, j] = g[index[i, j], j]
    """

    saves_for = {1: 2}  # noqa: RUF012 (a table, not a state)

    def forward(self, x: Any, index: Any, src: Any) -> Any:
        self.source_shape = tuple(src.shape)
        y = array_module(x).array(x, order="C")  # so that it is flat in memory
        if index.size:
            z, positions = write_targets(y, index, self.dim)
            # NumPy adds at a single flat index much faster than at several.
            cells = flat_indices(positions, z.shape) if z.ndim > 1 else positions
            array_module(z).add.at(z.reshape(-1), cells, source_part(index, src))
        return y

    def backward(self, g: Any) -> Any:
        gsrc = None
        if self.needs[2]:
            gsrc = fit_source(gather(g, self.dim, self.inputs[1]), self.source_shape)
        return g, None, gsrc


@public("scatter_add", inplace="scatter_add_")
def scatter_add(
    input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """A copy with values added along a dimension at the positions of an index.

    Math: y = x, y[index[i, j], j] += src[i, j] for dim 0
          ∂L/∂x = g      ∂L/∂src[i, j] = g[index[i, j], j]
    Shape: (n, m), (k, l), (k, l) -> (n, m), with l <= m for dim 0

    Raises:
        RuntimeError: for entries that do not exist, or shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.scatter_add(torch.zeros(3), 0, torch.tensor([0, 0, 2]), torch.ones(3))
        tensor([2., 0., 1.])
    """
    if _m.special_modes and scatter_add in _m.modes.autocast:
        return _m.autocast(scatter_add, input, dim, index, src, out=out)
    op = ScatterAdd(dim_of(dim, ndim_of(input, "scatter_add"), "scatter_add"))
    if not isinstance(src, Tensor) and not _m.modes.takes_arrays:
        raise type_error("Tensor", "src", src, "scatter_add")
    result = apply(op, input, index, src)
    if out is None:
        return result
    return copyto(out, result, "scatter_add", (input,), disjoint=(index, src))
