"""Resizing images."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...kernels import resample as kernels
from ...kernels.memory_format import match_memory_format
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor
from ..argument_errors import parser_errors
from ..argument_parser import parse, signatures_of
from ..pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from ..registration import composite
from .output_size import sizes_and_scales

__all__ = ["interpolate", "upsample", "upsample_bilinear", "upsample_nearest"]

RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5, "lanczos": 4}
KINDS = {"bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}


class Upsample(Op):
    """Resamples along each spatial dimension by weighted sums.

    Math: y[i] = Σ_t weight[i, t] · x[index[i, t]], one dimension after the other
          ∂L/∂x[j] = Σ weight[i, t] · g[i] over index[i, t] = j
    Shape: (N, C, *S) -> (N, C, *S')
    """

    attributes = ("mode", "align_corners", "antialias", "size", "scales")
    onnx = "Resize"
    saves = ()

    def __init__(
        self, mode: str, align: bool, antialias: bool, size: Any, scales: Any
    ) -> None:
        self.mode, self.align_corners, self.antialias = mode, align, antialias
        self.size, self.scales = size, scales

    def name(self) -> str:
        """PyTorch's name of the node."""
        kind = "".join(word.capitalize() for word in self.mode.split("-"))
        tail = "Aa" if self.antialias else ""
        return f"Upsample{kind}{len(self.size)}D{tail}Backward0"

    def check(self, x: Any) -> None:
        """Refuse empty dimensions (except the batch), and integers except bytes."""
        _check_sizes(x.shape, self.size)
        _check_dtype(x, self.mode, self.antialias)

    def tables(self, shape: tuple[int, ...], dtype: Any) -> list[kernels.WeightTable]:
        """For each spatial dimension, the source indices and weights of each output."""
        return [
            self._table(n, out, scale, dtype)
            for n, out, scale in zip(shape[2:], self.size, self.scales, strict=True)
        ]

    def _table(self, n: int, out: int, scale: float | None, dtype: Any) -> Any:
        if self.mode.startswith("nearest"):
            exact = self.mode == "nearest-exact"
            if not exact and len(self.size) == 2 and out in (n, 2 * n):
                scale = None  # PyTorch copies these for images, regardless of the scale
            return kernels.nearest_table(n, out, exact, scale, dtype)
        kind = KINDS.get(self.mode, self.mode)
        align = self.align_corners
        if out == n and (kind == "linear" or self.antialias):
            scale = None  # a dimension that keeps its size is copied, too
        if self.antialias:
            return kernels.antialias_table(n, out, kind, align, scale, dtype)
        return kernels.interpolation_table(n, out, kind == "cubic", align, scale, dtype)

    def forward(self, x: Any) -> Any:
        self.shape, dtype = x.shape, x.dtype
        nearest = self.mode.startswith("nearest")
        by_bytes = dtype.kind == "u" and not nearest
        wide = np.dtype(np.float64) if by_bytes else accumulator(dtype)
        resample = kernels.resample_bytes if by_bytes else kernels.resample
        y = x if nearest or by_bytes else x.astype(wide, copy=False)
        tables = self.tables(x.shape, wide.type)
        for axis in range(x.ndim - 1, 1, -1):
            y = resample(y, axis, tables[axis - 2])
        return match_memory_format(y.astype(dtype, copy=False), x)

    def backward(self, g: Any) -> Any:
        return apply1(UpsampleBackward(self, self.shape), g)


class UpsampleBackward(Op):
    """Distributes gradients to the sources of each value: the transpose of `Upsample`.

    Math: y[j] = Σ weight[i, t] · x[i] over index[i, t] = j
          ∂L/∂x[i] = Σ_t weight[i, t] · g[index[i, t]]
    Shape: (N, C, *S') -> (N, C, *S)
    """

    attributes = ("step", "shape")
    saves = ()

    def __init__(self, step: Upsample, shape: tuple[int, ...]) -> None:
        self.step, self.shape = step, shape

    def forward(self, x: Any) -> Any:
        dtype = x.dtype
        wide = accumulator(dtype)
        tables = self.step.tables(self.shape, wide.type)
        y = x.astype(wide, copy=False)
        for axis, table in enumerate(tables, 2):
            y = kernels.resample_backward(y, axis, table)
        return match_memory_format(y.astype(dtype, copy=False), x)

    def backward(self, g: Any) -> Any:
        return apply1(self.step.fresh_copy(), g)


def _check_sizes(shape: Any, size: tuple[int, ...]) -> None:
    n = len(size)
    if min((*shape[2:], *size)) <= 0:
        axes = ("W",) if n == 1 else ("H", "W") if n == 2 else ("D", "H", "W")
        given = ", ".join(f"{a}: {s}" for a, s in zip(axes, shape[2:], strict=True))
        requested = ", ".join(f"{a}: {s}" for a, s in zip(axes, size, strict=True))
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({given})"
            f"{' and' if n == 1 else ''} output ({requested})"
        )
    if shape[1] == 0:
        raise RuntimeError(
            f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes "
            f"{list(shape)}"
        )


def _check_dtype(x: Any, mode: str, antialias: bool) -> None:
    short = x.dtype.short
    allowed = ["Float", "Double"]
    if not antialias:
        allowed += ["Half", "BFloat16"]
    if mode not in ("linear", "trilinear"):
        allowed.append("Byte")
    if short in allowed:
        return
    kernel = "compute_indices_weights_" + KINDS.get(mode, mode)
    if antialias:
        kernel = "compute_index_ranges_weights"
    elif mode.startswith("nearest"):
        kernel = "compute_indices_weights_nearest"
        kernel = "upsample_nearest2d_channels_last" if x.ndim == 4 else kernel
    elif mode == "bilinear":
        kernel = "upsample_bilinear2d_channels_last"
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{short}'")


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize sequences, images or volumes.

    Math: y[i] = Σ_t weight[i, t] · x[index[i, t]], one dimension after the other
          ∂L/∂x[j] = Σ weight[i, t] · g[i] over index[i, t] = j
    Shape: (N, C, *S) -> (N, C, *S'), S' = size or ⌊S · scale_factor⌋

    Args:
        input: one, two or three spatial dimensions, by the mode.
        size: the new sizes, or one for all.
        scale_factor: instead of `size`, how many times larger.
        mode: "nearest" (the value at or before), "nearest-exact" (around the
            middle), "linear", "bilinear", "trilinear", "bicubic", "lanczos" or "area"
            (means).
        align_corners: middles of the outermost cells stay; otherwise outer edges do.
        recompute_scale_factor: compute with S'/S, not with the factor given.
        antialias: low-pass filter when shrinking.

    Raises:
        ValueError: for contradicting arguments.
        NotImplementedError: for a mode that does not fit the input.
        RuntimeError: for empty sizes.

    Reference: Keys (1981), "Cubic convolution interpolation for digital image
    processing".

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[[0.0, 1.0]]])
        >>> torch.nn.functional.interpolate(x, 3, mode="linear", align_corners=True)
        tensor([[[0.0000, 0.5000, 1.0000]]])
    """
    if _m.special_modes and interpolate in _m.modes.autocast:
        return _m.autocast(
            interpolate, input, size, scale_factor, mode, align_corners,
            recompute_scale_factor, antialias,
        )  # fmt: skip
    rank = input.dim()
    one = (size is None) != (scale_factor is None)
    recompute = bool(recompute_scale_factor) or (mode == "area" and size is None)
    odd = isinstance(scale_factor, NO_FLOATS) and not recompute
    first = size[0] if _is_list(size) and size else size
    if one and (odd or isinstance(first, bool) or isinstance(size, Tensor)):
        _check_mode(mode, rank, align_corners is True, antialias)
        _check_types(mode, input, size, scale_factor, align_corners)
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear "
            "| bilinear | bicubic | trilinear"
        )
    sizes, scales = sizes_and_scales(input.shape, size, scale_factor, recompute)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and rank == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes "
            "and requires a 4-D tensor as input"
        )
    _check_mode(mode, rank, align_corners is True, antialias)
    if align_corners is not None and not isinstance(align_corners, bool):
        given = (list(sizes), None) if recompute else (size, scale_factor)
        _check_types(mode, input, *given, align_corners)
    if mode == "area":
        pool = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[rank - 3]
        return pool(input, sizes)
    return apply1(Upsample(mode, bool(align_corners), antialias, sizes, scales), input)


NO_FLOATS = (Tensor, str, complex)


def _check_types(
    mode: str, input: Any, size: Any, scale_factor: Any, align_corners: Any
) -> None:
    """Raise for argument types that a mode's function does not accept."""
    rank = input.dim() - 2
    name = f"upsample_{mode}{rank}d"
    if mode == "nearest-exact":
        name = f"_upsample_nearest_exact{rank}d"
    one = None if size is None else size if _is_list(size) else [size] * rank
    factors = scale_factor
    if factors is not None and not _is_list(factors):
        factors = [factors] * rank
    align = False if align_corners is None else align_corners
    nearest = mode.startswith("nearest")
    given = [input, one, factors] if nearest else [input, one, align, factors]
    if mode == "area":
        name, given = f"adaptive_avg_pool{rank}d", [input, one]
    words = parse(name, signatures_of(name), given, {})
    if words:
        raise TypeError(words)


def _is_list(value: Any) -> bool:
    return isinstance(value, (tuple, list))


def _check_mode(mode: str, rank: int, align: bool, antialias: bool) -> None:
    others = ("nearest", "nearest-exact", "area")
    known = isinstance(mode, str) and (mode in RANKS or mode in others)
    flat = mode not in ("bicubic", "lanczos") or rank == 4
    if not (3 <= rank <= 5 and known and flat):
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported "
            f"(got {rank}D) for the modes: nearest | linear | bilinear | bicubic | "
            f"trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    if RANKS.get(mode, rank) != rank:
        raise NotImplementedError(
            f"Got {rank}D input, but {mode} mode needs {RANKS[mode]}D input"
        )
    if mode == "lanczos" and align:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")


def _warn(name: str) -> None:
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` "
        "instead.",
        stacklevel=3,
    )


@composite
def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """A deprecated alias of `interpolate`.

    Math: as `interpolate`      ∂L/∂x: as of `interpolate`
    Shape: (N, C, *S) -> (N, C, *S')

    Raises:
        NotImplementedError: for a mode that does not fit the number of dimensions.

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> torch.nn.functional.upsample(torch.tensor([[[1, 2]]]).byte(), 4)
        tensor([[[1, 1, 2, 2]]], dtype=torch.uint8)
    """
    _warn("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


@composite
@parser_errors
def upsample_nearest(
    input: Tensor, size: Any = None, scale_factor: Any = None
) -> Tensor:
    """`interpolate` with mode "nearest": a deprecated alias.

    Math: y[i] = x[nearest(i)]      ∂L/∂x[j] = Σ g[i] over nearest(i) = j
    Shape: (N, C, *S) -> (N, C, *S')

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> torch.nn.functional.upsample_nearest(torch.tensor([[[1.0, 2.0]]]), 4)
        tensor([[[1., 1., 2., 2.]]])
    """
    _warn("upsample_nearest")
    return interpolate(input, size, scale_factor, "nearest")


@composite
@parser_errors
def upsample_bilinear(
    input: Tensor, size: Any = None, scale_factor: Any = None
) -> Tensor:
    """`interpolate` with mode "bilinear" and aligned corners: a deprecated alias.

    Math: as `interpolate`      ∂L/∂x: as of `interpolate`
    Shape: (N, C, H, W) -> (N, C, H', W')

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> x = torch.tensor([[[[0.0, 2.0]]]])
        >>> torch.nn.functional.upsample_bilinear(x, (1, 3))
        tensor([[[[0., 1., 2.]]]])
    """
    _warn("upsample_bilinear")
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)
