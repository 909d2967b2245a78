"""Histograms: the number or total weight of points in each bin."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply, apply1, record
from ...autograd.half_precision import half_rounding, is_half, no_rounding
from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor
from ..argument_checks import need_flags, number_of, refuse_kinds
from ..argument_errors import check_call, parser_errors
from ..create.ranges import evenly_spaced
from ..int_arguments import int_of
from ..number_ranges import checked_number, overflow_error, real_number
from ..promotion import refuse_dtype
from ..registration import copyto, public
from ..return_types import return_type

__all__ = ["histc", "histogram", "histogramdd"]

histogram_type = return_type("histogram", "hist", "bin_edges")
histogramdd_type = return_type("histogramdd", "hist", "bin_edges")

NAMES = {"float32": "float", "float64": "double"}


class Histogramdd(Op):
    """Counts points in boxes; lower ends are inclusive, and the last upper ones.

    Math: y[i, j, ..] = Σ w over the points with edge[i] <= p₁ < edge[i + 1], ..
    """

    attributes = ("bins", "ends", "density", "kernel")
    multiple_outputs = True
    saves = ()
    constants = tuple(range(1024))  # PyTorch's node has edges only where needed

    def __init__(self, bins: Any, ends: Any, density: bool, kernel: str) -> None:
        self.bins, self.ends, self.density = bins, ends, density
        self.kernel = kernel

    def name(self) -> str:
        """PyTorch's name of the node, which has no derivative."""
        return "torch::autograd::NotImplemented"

    def check(self, points: Any, weight: Any, *edges: Any) -> None:
        for number, count in enumerate(self.bins):
            if count <= 0:
                raise RuntimeError(
                    f"torch.histogram(): bins must be > 0, but got {count} for "
                    f"dimension {number}"
                )
        if not edges and points._data.dtype.name not in NAMES:
            if self.ends is not None:
                self.check_ends(points.dtype)
            elif points._data.size:  # else PyTorch looks for no range
                refuse_dtype("histogramdd", points.dtype)
            refuse_kinds("linspace_cpu", "b", points)
        for number, edge in enumerate(edges):
            self.check_edges(points, edge, number)
        if weight is not None and weight.dtype is not points.dtype:
            kinds = [x.dtype.c_name for x in (points, weight)]
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided, input tensor and "
                "weight tensor should have the same dtype, but got "
                f"input({kinds[0]}), and weight({kinds[1]})"
            )
        if weight is not None and weight.shape != points.shape[:-1]:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided it should have the "
                "same shape as the input tensor excluding its innermost dimension, but "
                f"got input with shape {list(points.shape)} and weight with shape "
                f"{list(weight.shape)}"
            )
        # Edges are computed for fewer dtypes than points are counted.
        if not is_half(points._data.dtype) and points._data.dtype.name not in NAMES:
            refuse_dtype("histogram_cpu", points.dtype)

    def check_edges(self, points: Any, edges: Any, number: int) -> None:
        """Raise unless bins are vectors with the points' dtype."""
        if edges.dtype is not points.dtype:
            kinds = [x.dtype.c_name for x in (points, edges)]
            raise RuntimeError(
                "torch.histogramdd: input tensor and bins tensors should have the same "
                f"dtype, but got input with dtype {kinds[0]} and bins for dimension "
                f"{number} with dtype {kinds[1]}"
            )
        if edges.ndim != 1:
            raise RuntimeError(
                "torch.histogramdd: bins tensor should have one dimension, but got "
                f"{edges.ndim} dimensions in the bins tensor for dimension {number}"
            )
        if not edges._data.size:
            raise RuntimeError(
                "torch.histogramdd: bins tensor should have at least 1 element, but "
                f"got 0 elements in the bins tensor for dimension {number}"
            )

    def backward(self, *gradients: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{self.kernel} is not implemented")

    def forward(self, points: Any, weight: Any, *edges: Any) -> Any:
        x = points.reshape(-1, points.shape[-1])
        find = _bins if edges else _even_bins
        edges = tuple(edge.copy() for edge in edges) or self.even_edges(x)
        counts = [len(edge) - 1 for edge in edges]
        inside, place = np.ones(len(x), bool), np.zeros(len(x), np.int64)
        for p, edge, count in zip(x.T, edges, counts, strict=True):
            bin = find(edge, p)
            bin[p == edge[-1]] = count - 1
            inside &= (p >= edge[0]) & (p <= edge[-1])
            place = place * count + bin
        w = None if weight is None else weight.reshape(-1)[inside]
        y = np.bincount(place[inside], w, int(np.prod(counts)))
        y = y.reshape(counts).astype(points.dtype)
        if self.density:
            y = y / y.sum()
            for d, edge in enumerate(edges):
                shape = [-1 if i == d else 1 for i in range(y.ndim)]
                y = y / np.diff(edge).reshape(shape)
        return (y, *edges)

    def even_edges(self, x: Any) -> tuple[Any, ...]:
        """Equally spaced edges between given ends or those of the points."""
        edges = []
        for d, count in enumerate(self.bins):
            if self.ends is not None:
                low, high = self.ends[2 * d : 2 * d + 2]
            elif len(x):
                low, high = x[:, d].min(), x[:, d].max()
            else:
                low, high = 0.0, 1.0
            low, high = self.check_range(float(low), float(high), d)
            edges.append(evenly_spaced(low, high, count + 1, x.dtype, None))
        return tuple(edges)

    def check_ends(self, dtype: Any) -> None:
        """Check that given ends are in order, and that the dtype represents them."""
        for d, low in enumerate(self.ends[::2]):
            ends = self.check_range(float(low), float(self.ends[2 * d + 1]), d)
            for end in ends:
                checked_number(end, dtype)

    def check_range(self, low: float, high: float, d: int) -> tuple[float, float]:
        """Check that the ends are finite and different."""
        if not (np.isfinite(low) and np.isfinite(high)):
            raise RuntimeError(
                f"torch.histogramdd: dimension {d}'s range [{low:g}, {high:g}] is not "
                "finite"
            )
        if low > high:
            raise RuntimeError(
                f"torch.histogramdd: min should not exceed max, but got min {low:g} "
                f"max {high:g} for dimension {d}"
            )
        return (low - 0.5, high + 0.5) if low == high else (low, high)


def _bins(edge: Any, p: Any) -> Any:
    """The bin of each point; of those outside, any number."""
    return np.searchsorted(edge, p, "right") - 1


def _even_bins(edge: Any, p: Any) -> Any:
    """The same for edges at equal distances, which give the bin but for rounding.

    Only the next edges are looked at, as in PyTorch: where the numbers are so close
    that edges coincide, this decides which of the empty bins has them.

    Example:
        >>> _even_bins(np.array([0.0, 0.5, 1.0]), np.array([0.2, 0.5]))
        array([0, 1])
    """
    count = len(edge) - 1
    with np.errstate(invalid="ignore", over="ignore"):  # points that are nan, or far
        bin = ((p - edge[0]) * count / (edge[-1] - edge[0])).astype(np.int64)
    np.clip(bin, 0, count, out=bin)
    below, above = np.maximum(bin - 1, 0), np.minimum(bin + 1, count)
    return bin - 2 + (edge[below] <= p) + (edge[bin] <= p) + (edge[above] <= p)


def _histogram_and_edges(
    points: Tensor, bins: Any, range: Any, weight: Tensor | None, density: bool,
    name: str = "",
) -> tuple[Tensor, tuple[Tensor, ...]]:  # fmt: skip
    """The histogram of points (.., d), and the edges of the bins in each dimension."""
    size = points.shape[-1]
    bins = [bins] * size if isinstance(bins, int) else list(bins)
    if len(bins) != size and bins and isinstance(bins[0], Tensor):
        raise RuntimeError(
            f"torch.histogramdd: expected {size} sequences of bin edges for a "
            f"{size}-dimensional histogram but got {len(bins)}"
        )
    if len(bins) != size:
        if points._data.dtype.name not in NAMES and points.numel():
            refuse_dtype("histogramdd", points.dtype)
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of "
            "the input."
        )
    if range is not None and len(range) != 2 * size:
        raise RuntimeError(
            f"torch.histogramdd: for a {size}-dimensional histogram range should have "
            f"{2 * size} elements, but got {len(range)}"
        )
    given = [b for b in bins if isinstance(b, Tensor)]
    counts = [b.numel() - 1 if b.ndim == 1 and len(b) else 1 for b in given] or bins
    kind = "bin_tensors" if given else "bin_cts"
    op = Histogramdd(tuple(counts), range, density, name or f"_histogramdd_from_{kind}")
    y, *edges = apply(op, points, weight, *given)
    return y, tuple(edges)


@public("histogram")
@parser_errors
def histogram(
    input: Tensor,
    bins: Any = 100,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
    out: Any = None,
) -> Any:
    """The number of elements, or their total weight, in each bin.

    Math: y[i] = Σ w over the elements with edge[i] <= x < edge[i + 1]; the last bin
          holds its upper edge, too
    Shape: (*) -> (bins), (bins + 1)

    Args:
        bins: their number, or their edges, ascending.
        range: the outer edges; those of the elements if not given.
        weight: of each element; 1 if not given.
        density: whether the bins' areas, not their heights, are to add up to 1.

    Raises:
        RuntimeError: for no bins, ends that are not finite, and shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.histogram(torch.tensor([1.0, 2.0, 1.0]), bins=2)
        torch.return_types.histogram(
        hist=tensor([2., 1.]),
        bin_edges=tensor([1.0000, 1.5000, 2.0000]))
    """
    need_flags("histogram", density=density)
    check_call(not isinstance(bins, (bool, float)))
    given = input, weight, bins
    with no_grad():  # one node, without those of the shapes
        weight = None if weight is None else weight.reshape(-1)
        points = input.reshape(-1, 1)
        y, (edges,) = _histogram_and_edges(
            points, [bins], range, weight, density, "histogram"
        )
    record(Histogramdd((), None, density, "histogram"), given, (y, edges), True)
    result = histogram_type(y, edges)
    if out is None:
        return result
    operands = (input, bins, range, weight)
    variant = "bins" if isinstance(bins, Tensor) else ""
    return copyto(out, result, "histogram", operands, variant=variant)


@parser_errors
def histogramdd(
    input: Tensor,
    bins: Any,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """The number of points, or their total weight, in each box.

    Math: y[i, j, ..] = Σ w over the points with edge[i] <= p₁ < edge[i + 1], ..
    Shape: (.., d) -> (bins₁, .., bins_d), and for each dimension (bins + 1)

    Args:
        bins: their number, for each dimension or for all, or for each their edges.
        range: for each dimension the outer edges, one after the other.
        weight: of each point; 1 if not given.
        density: whether the boxes' volumes, not their heights, are to add up to 1.

    Raises:
        RuntimeError: for no bins, ends that are not finite, and shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> points = torch.tensor([[0.0, 0.0], [1.0, 2.0], [1.0, 2.0]])
        >>> torch.histogramdd(points, bins=[2, 2]).hist
        tensor([[1., 0.],
                [0., 2.]])
    """
    need_flags("histogramdd", density=density)
    check_call(not isinstance(bins, (bool, float)))
    if input.ndim < 2:
        raise RuntimeError(
            "torch.histogramdd: input tensor should have at least 2 dimensions"
        )
    y, edges = _histogram_and_edges(input, bins, range, weight, density)
    if not isinstance(bins, int) and any(isinstance(b, Tensor) for b in bins):
        edges = tuple(bins)  # the tensors themselves
    return histogramdd_type(y, edges)


class Histc(Op):
    """The number of elements in each of several bins of equal width.

    Math: y[b] = number of i with b = ⌊(x[i] - low) · bins / (high - low)⌋

    As in PyTorch, the formula is rounded to the dtype of x step by step, so that an
    element near an edge may be counted in the neighbouring bin, and counts stop where
    one more is rounded off: 2048 in float16, 256 in bfloat16.
    """

    attributes = ("bins", "low", "high")
    differentiable = False
    rounded: Any = None
    most = 2**53  # what is counted exactly

    def __init__(self, bins: int, low: float, high: float) -> None:
        self.bins, self.low, self.high = bins, low, high

    def check(self, x: Any) -> None:
        """Refuse nothing; 16-bit floats are rounded at every step, as in PyTorch."""
        self.rounded = half_rounding(x)
        if self.rounded:
            self.most = int(2 / dtypes.finfo(x.dtype).eps)

    def forward(self, x: Any) -> Any:
        low, high = self.low, self.high
        if low == high and x.size:
            low, high = x.min(), x.max()
            _check_range(low, high)
        if low == high:
            low, high = low - 1, high + 1
        r, number, bins = self.rounded or no_rounding, x.dtype.type, self.bins
        low, high = r(number(low)), r(number(high))
        inside = x[(x >= low) & (x <= high)]
        place = r(r(r(inside - low) * r(number(bins))) / r(high - low))
        bin = np.minimum(place, bins - 1.0).astype(np.int64)
        return np.minimum(np.bincount(bin, minlength=bins), self.most).astype(x.dtype)


def _check_range(low: Any, high: Any) -> None:
    """Raise for ends that are infinite, nan or complex."""
    for v in (low, high):
        if isinstance(v, complex):
            raise overflow_error(dtypes.float64)
    if not (isfinite(low) and isfinite(high)):
        ends = ", ".join(
            "-" * _is_negative_nan(v) + f"{float(v):g}" for v in (low, high)
        )
        raise RuntimeError(f"torch.histc: range of [{ends}] is not finite")


def _is_negative_nan(value: Any) -> bool:
    return value != value and bool(np.signbit(value))


@public("histc")
@parser_errors
def histc(
    input: Tensor, bins: int = 100, min: float = 0, max: float = 0,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The number of elements in each of `bins` bins of equal width.

    Math: y[b] = number of i with x[i] in bin b
    Shape: (*) -> (bins)

    Args:
        min: the lower end; with both ends equal, those of the data are taken.
        max: the upper end.

    Raises:
        RuntimeError: for no bins, or an invalid range.

    Example:
        >>> import edutorch as torch
        >>> torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
        tensor([0., 2., 1., 0.])
    """
    bins = int_of(bins, "bins", "histc")
    if bins <= 0:
        raise RuntimeError(
            f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0"
        )
    min, max = (
        real_number(number_of(v, name, "histc"))
        for name, v in (("min", min), ("max", max))
    )
    _check_range(min, max)
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    if min == max:
        refuse_kinds("aminmax_cpu", "c", input)
    refuse_kinds("linspace_cpu", "b", input)
    for end in (min, max):
        checked_number(end, input.dtype)
        if end < 0 and input.dtype.numpy.kind == "u":
            raise overflow_error(input.dtype)
    refuse_kinds("histogram_cpu", "iuc", input)
    result = apply1(Histc(bins, min, max), input)
    return result if out is None else copyto(out, result, "histc", (input,))
