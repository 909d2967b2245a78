"""Grid sampling: reads images at arbitrary positions."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...backends import array_module
from ...kernels import grid_sample as kernels
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor
from ..argument_checks import (
    need_flags,
    need_tensors,
    refuse_complex_gradients,
    type_error,
)
from ..argument_errors import check_call, parser_errors
from ..reduce import sum
from ..shape.joining import Stack
from .affine_grid import warn_of_align_corners

__all__ = ["grid_sample", "grid_sampler", "grid_sampler_2d", "grid_sampler_3d"]

MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")


class GridSampler(Op):
    """Values of images at given positions, interpolated between pixels.

    Math: y[n, c, p] = Σ_k w_k(grid[n, p]) · x[n, c, cell_k(grid[n, p])]
          ∂L/∂x: g · w_k added to cell_k
          ∂L/∂grid = Σ_k (Σ_c g · x[cell_k]) · ∂w_k/∂grid
    Shape: (N, C, *S), (N, *S', d) -> (N, C, *S'), d the number of dimensions S
    """

    double_backward = "joint"
    attributes = ("mode", "padding", "align_corners")
    public = "grid_sampler"
    onnx = "GridSample"

    def __init__(self, mode: str, padding: str, align: bool) -> None:
        self.mode, self.padding, self.align_corners = mode, padding, align

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"GridSampler{len(self.out_shape) - 2}DBackward0"

    def check(self, x: Any, grid: Any) -> None:
        """Check that each image has a grid, with a coordinate per dimension."""
        n = x.ndim - 2
        if not (x.ndim and grid.ndim):
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        if grid.shape[0] != x.shape[0]:
            raise RuntimeError(
                "grid_sampler(): expected grid and input to have same batch size, but "
                f"got input with sizes {list(x.shape)} and grid with sizes "
                f"{list(grid.shape)}"
            )
        if grid.shape[-1] != n:
            raise RuntimeError(
                f"grid_sampler(): expected grid to have size {n} in last dimension, "
                f"but got grid with sizes {list(grid.shape)}"
            )
        _check_input(x, grid, self.mode)

    def forward(self, x: Any, grid: Any) -> Any:
        if self.by_kernel(x):
            places = [place for place, _ in self.places(grid, x)]
            found = kernels.bilinear_compiled(x, *places)
            if found is not None:
                return found.reshape(*x.shape[:2], *grid.shape[1:-1])
        wide = accumulator(x.dtype)
        taps = self._taps(grid.astype(wide, copy=False), grid, x.shape[2:])
        cells = kernels.channels_last(x.astype(wide, copy=False))
        y: Any = 0
        for index, inside, weight, _ in corners(taps, x.shape[2:]):
            y = y + kernels.gather_pixels(cells, index, inside) * weight
        y = array_module(x).ascontiguousarray(y.astype(x.dtype, copy=False))
        return y.reshape(*x.shape[:2], *grid.shape[1:-1])

    def by_kernel(self, x: Any) -> bool:
        """Whether there may be a compiled kernel: for bilinear sampling of images."""
        return self.mode == "bilinear" and type(x) is np.ndarray and x.ndim == 4

    def places(self, grid: Any, x: Any) -> list[tuple[Any, Any]]:
        """The pixel coordinates of grid points, and their derivatives: each (N, P)."""
        shape = len(grid), prod(grid.shape[1:-1])
        sizes = ((grid[..., 1 - d], n) for d, n in enumerate(x.shape[2:]))
        return [
            pixel_coordinate(u.reshape(shape), n, self.align_corners, self.padding)
            for u, n in sizes
        ]

    def gradients(self, g: Any, x: Any, grid: Any) -> Any:
        """Both gradients from a compiled kernel, or None if there is none."""
        (rows, d_rows), (columns, d_columns) = self.places(grid, x)
        g = g.reshape(*g.shape[:2], prod(g.shape[2:]))
        found = kernels.bilinear_compiled_backward(g, x, rows, columns)
        if found is None:
            return None
        gx, g_rows, g_columns = found
        along = np.stack((g_columns * d_columns, g_rows * d_rows), -1)  # x first
        return gx, along.reshape(grid.shape)

    def backward(self, g: Any) -> Any:
        x, grid = self.inputs
        found = None
        if type(g) is np.ndarray and self.by_kernel(x):
            found = self.gradients(g, x, grid)
        return self.by_taps(g, x, grid) if found is None else found

    def by_taps(self, g: Any, x: Any, grid: Any) -> Any:
        """Both gradients, summed neighbour by neighbour."""
        known = grid._data if isinstance(grid, Tensor) else grid
        taps = self._taps(grid, known, x.shape[2:])
        g = g.reshape(*g.shape[:2], prod(g.shape[2:]))  # (N, C, P)
        x = x if isinstance(x, Tensor) else kernels.channels_last(x)
        gx: Any = None
        d_grid: Any = [None] * len(taps)
        for index, inside, weight, derivatives in corners(taps, x.shape[2:]):
            if self.needs[0]:
                part = apply1(AddCells(index, inside, x.shape), g * weight)
                gx = part if gx is None else gx + part
            if self.needs[1]:
                if self.mode == "nearest":  # flat, whatever the pixels are
                    seen, derivatives = g, [0.0] * len(taps)
                else:
                    seen = g * apply1(TakeCells(index, inside, x.shape), x)
                seen = sum(seen, (1,), True)
                for d, derivative in enumerate(derivatives):
                    part = seen * derivative
                    d_grid[d] = part if d_grid[d] is None else d_grid[d] + part
        if gx is not None and not isinstance(gx, Tensor):
            gx = array_module(gx).ascontiguousarray(gx)
        if not self.needs[1]:
            return gx, None
        along = [s.reshape(tuple(grid.shape[:-1])) for s in d_grid[::-1]]  # x first
        return gx, apply(Stack(grid.ndim - 1), *along)

    def _taps(self, grid: Any, known: Any, space: Any) -> list[list[Any]]:
        """For each dimension the neighbours: (cell, inside, weight, derivative)."""
        found = []
        for d, n in enumerate(space):
            at = (..., len(space) - 1 - d)
            shape = (known.shape[0], 1, prod(known.shape[1:-1]))  # (N, 1, P)
            u, value = grid[at].reshape(shape), known[at].reshape(shape)
            found.append(self._line(u, value.astype(accumulator(value.dtype)), n))
        return found

    def _line(self, u: Any, value: Any, n: int) -> list[Any]:
        inner = self.padding if self.mode != "bicubic" else "zeros"
        place, scale = pixel_coordinate(value, n, self.align_corners, inner)
        if self.mode == "nearest":
            cell, weight = np.rint(place), np.ones_like(place)
            if isinstance(u, Tensor):  # a constant, whose derivative is 0
                weight = u.masked_fill(u.new_ones((), dtype=dtypes.bool_), 1)
            return [(*clip_coordinate(cell, n, "zeros", True), weight, 0 * place)]
        first = np.floor(place)
        # On tensors (create_graph) the position is a linear function of u, near u.
        t = u * scale + (place - value * scale - first)
        if not isinstance(u, Tensor):
            t = place - first
        if self.mode == "bilinear":
            curve = [(0, 1 - t, t * 0 - scale), (1, t, t * 0 + scale)]
        else:
            curve = cubic_taps(t, scale)
        return [
            (*clip_coordinate(first + k, n, self.padding, self.align_corners), w, dw)
            for k, w, dw in curve
        ]


def pixel_coordinate(u: Any, n: int, align: bool, padding: str) -> tuple[Any, Any]:
    """The position of a coordinate from -1 to 1 among n cells, and its derivative."""
    scale = (n - 1) / 2 if align else n / 2
    place = (u + 1) * scale if align else ((u + 1) * n - 1) / 2
    derivative = np.full_like(place, scale)
    if padding == "reflection":
        place, sign = reflect_coordinate(place, n, align)
        derivative = derivative * sign
    if padding != "zeros":
        derivative = np.where((place <= 0) | (place >= n - 1), 0, derivative)
        place = np.clip(place, 0, n - 1)
    return place, derivative.astype(place.dtype, copy=False)


def reflect_coordinate(place: Any, n: int, align: bool) -> tuple[Any, Any]:
    """Positions reflected into the image, and the sign of the derivative."""
    low, span = (0.0, n - 1.0) if align else (-0.5, float(n))
    if span == 0:
        return place * 0, place * 0
    away = np.abs(place - low)
    sign = np.where(place < low, -1, 1)
    turns = np.floor(away / span)
    rest = away - turns * span
    odd = turns % 2 == 1
    return np.where(odd, span - rest, rest) + low, np.where(odd, -sign, sign)


def clip_coordinate(cell: Any, n: int, padding: str, align: bool) -> tuple[Any, Any]:
    """Cell indices as integers, and a mask of those inside the image."""
    if padding == "reflection":
        cell, _ = reflect_coordinate(cell, n, align)
    if padding != "zeros":
        cell = np.clip(cell, 0, n - 1)
    inside = (cell >= 0) & (cell <= n - 1)
    return np.where(inside, cell, 0).astype(np.int64), inside


def cubic_taps(t: Any, scale: Any) -> list[Any]:
    """The four neighbours of cubic interpolation: (offset, weight, derivative).

    Reference: Keys (1981), "Cubic convolution interpolation for digital image
    processing"; a = -3/4.
    """
    a = -0.75
    found = []
    for k in (-1, 0, 1, 2):
        x, sign = (t - k, 1) if k <= 0 else (k - t, -1)  # the distance, and its sign
        if k in (0, 1):
            weight = ((a + 2) * x - (a + 3)) * x * x + 1
            rise = (3 * (a + 2) * x - 2 * (a + 3)) * x
        else:
            weight = ((x - 5) * x + 8) * a * x - 4 * a
            rise = ((3 * x - 10) * x + 8) * a
        found.append((k, weight, rise * scale * sign))
    return found


def corners(taps: list[list[Any]], space: Any) -> Any:
    """All neighbours of each position: (cell, inside, weight, its derivatives)."""
    for chosen in product(*taps):
        index: Any = 0
        inside: Any = True
        weight: Any = 1
        for n, (cell, within, w, _) in zip(space, chosen, strict=True):
            index, inside, weight = index * n + cell, inside & within, weight * w
        derivatives = []
        for d, (_, _, _, dw) in enumerate(chosen):
            for other, (_, _, w, _) in enumerate(chosen):
                dw = dw if other == d else dw * w
            derivatives.append(dw)
        yield index[:, 0], inside[:, 0], weight, derivatives


class TakeCells(Op):
    """The values of all channels at cells, 0 outside the image.

    Math: y[n, c, p] = x[n, c, index[n, p]]      ∂L/∂x = g added to the cells
    Shape: (N, C, *S) = `shape` -> (N, C, P)
    """

    attributes = ("index", "inside", "shape")
    saves = ()

    def __init__(self, index: Any, inside: Any, shape: Any) -> None:
        self.index, self.inside, self.shape = index, inside, tuple(shape)

    def forward(self, x: Any) -> Any:
        return kernels.gather_pixels(x, self.index, self.inside)

    def backward(self, g: Any) -> Any:
        return apply1(AddCells(self.index, self.inside, self.shape), g)


class AddCells(TakeCells):
    """Adds values of all channels to cells: the transpose of `TakeCells`.

    Math: y[n, c, index[n, p]] += x[n, c, p]      ∂L/∂x = g at the cells
    Shape: (N, C, P) -> (N, C, *S) = `shape`
    """

    def forward(self, x: Any) -> Any:
        return kernels.scatter_add_pixels(x, self.index, self.inside, self.shape)

    def backward(self, g: Any) -> Any:
        return apply1(TakeCells(self.index, self.inside, self.shape), g)


def _check_input(x: Any, grid: Any, mode: str) -> None:
    for d, size in enumerate(x.shape[2:], 2):
        if size == 0:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, "
                f"but input has sizes {list(x.shape)} with dimension {d} being empty"
            )
    images = 4 if x.ndim == 4 else 5
    if not x.ndim == grid.ndim == images:
        raise RuntimeError(
            f"grid_sampler(): expected {images}D input and grid with same number of "
            f"dimensions, but got input with sizes {list(x.shape)} and grid with sizes "
            f"{list(grid.shape)}"
        )
    if mode == "bicubic" and x.ndim != 4:
        raise RuntimeError(
            "grid_sampler(): bicubic interpolation only supports 4D input"
        )
    volumes = x.ndim > 4
    some = volumes or (x._data.size and grid._data.size)
    if some and not x.dtype.is_floating_point:
        kernel = "grid_sampler3d_cpu" if volumes else "grid_sampler_2d_cpu_kernel_impl"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{x.dtype.short}'")
    if x.dtype is not grid.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.short} but found {grid.dtype.short}"
        )
    refuse_complex_gradients("grid_sampler_2d", x, grid)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Values of images at the positions given by a grid.

    Math: y[n, c, p] = Σ_k w_k(grid[n, p]) · x[n, c, cell_k(grid[n, p])]
          ∂L/∂x: g · w_k added to cell_k
          ∂L/∂grid = Σ_k (Σ_c g · x[cell_k]) · ∂w_k/∂grid
    Shape: (N, C, H, W), (N, H', W', 2) -> (N, C, H', W');
           (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D', H', W')

    Args:
        input: images or volumes.
        grid: places, x first; -1 and 1 are the borders.
        mode: "bilinear" (nearest corners), "nearest" or "bicubic" (images only).
        padding_mode: the values outside: "zeros", "border" (the nearest cell) or
            "reflection".
        align_corners: -1 and 1 are the middles of the outermost cells, not their
            outer edges.

    Raises:
        ValueError: for an unknown mode.
        RuntimeError: for shapes or dtypes that do not fit.

    Reference: Jaderberg, Simonyan, Zisserman and Kavukcuoglu (2015), "Spatial
    transformer networks".

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[[1.0, 3.0]]]])
        >>> middle = torch.zeros(1, 1, 1, 2)
        >>> torch.nn.functional.grid_sample(x, middle, align_corners=False)
        tensor([[[[2.]]]])
    """
    if _m.special_modes and grid_sample in _m.modes.autocast:
        return _m.autocast(grid_sample, input, grid, mode, padding_mode, align_corners)
    if not isinstance(mode, str) or mode not in MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or "
            f"'bicubic', but got: '{mode}'"
        )
    if not isinstance(padding_mode, str) or padding_mode not in PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', "
            f"'border', or 'reflection', but got: '{padding_mode}'"
        )
    need_tensors("grid_sample", input=input, grid=grid)
    if align_corners is None:
        warn_of_align_corners("grid_sample")
    else:
        need_flags("grid_sample", align_corners=align_corners)
    return _sample(input, grid, mode, padding_mode, bool(align_corners))


def _sample(x: Tensor, grid: Tensor, mode: str, padding: str, align: bool) -> Tensor:
    return apply(GridSampler(mode, padding, align), x, grid)


@parser_errors
def grid_sampler(
    input: Tensor,
    grid: Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Tensor:
    """`grid_sample` with numeric modes.

    Math: y[n, c, p] = Σ_k w_k(grid[n, p]) · x[n, c, cell_k(grid[n, p])]
          ∂L/∂x: g · w_k added to cell_k
          ∂L/∂grid = Σ_k (Σ_c g · x[cell_k]) · ∂w_k/∂grid
    Shape: (N, C, *S), (N, *S', d) -> (N, C, *S')

    Args:
        interpolation_mode: 0 bilinear, 1 nearest, 2 bicubic.
        padding_mode: 0 zeros, 1 border, 2 reflection.

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[[1.0, 3.0]]]])
        >>> torch.grid_sampler(x, torch.zeros(1, 1, 1, 2), 0, 0, False)
        tensor([[[[2.]]]])
    """
    if _m.special_modes and grid_sampler in _m.modes.autocast:
        return _m.autocast(
            grid_sampler, input, grid, interpolation_mode, padding_mode, align_corners
        )
    if align_corners is not False and align_corners is not True:
        raise type_error("bool", "align_corners", align_corners, "grid_sampler")
    check_call(type(interpolation_mode) is not bool and type(padding_mode) is not bool)
    mode, padding = MODES[interpolation_mode], PADDINGS[padding_mode]
    return _sample(input, grid, mode, padding, align_corners)


grid_sampler_2d = grid_sampler
grid_sampler_3d = grid_sampler
