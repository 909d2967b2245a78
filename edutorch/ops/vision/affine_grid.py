"""Affine grids: positions for `grid_sample` in two or three dimensions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...kernels.sliding_windows import accumulator
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import type_error
from ..dims import sizes_of
from ..matmul.array_products import ctranspose
from ..matmul.matrix_products import matmul

__all__ = ["affine_grid", "affine_grid_generator"]


class AffineGridGenerator(Op):
    """The images of cell centres under affine maps.

    Math: y[n, p] = θ[n] (x_p, y_p, 1)ᵀ      ∂L/∂θ[n] = Σ_p g[n, p] (x_p, y_p, 1)
    Shape: (N, 2, 3) -> (N, H, W, 2), or (N, 3, 4) -> (N, D, H, W, 3)
    """

    attributes = ("size", "align_corners")
    saves = ()
    saves_extra = True

    def __init__(self, size: tuple[int, ...], align: bool) -> None:
        self.size, self.align_corners = size, align

    def check(self, theta: Any) -> None:
        """Check that there is a matrix for each sample."""
        n = self.size[0]
        if theta.shape[0] != n:
            columns = theta.shape[2]
            raise RuntimeError(
                "Expected size for first two dimensions of batch2 tensor to be: "
                f"[{n}, {columns}] but got: [{theta.shape[0]}, {columns}]."
            )

    def forward(self, theta: Any) -> Any:
        base = self._base(theta)
        wide = accumulator(theta.dtype)
        places = base.astype(wide) @ ctranspose(theta.astype(wide))  # (N, P, 2)
        shape = (self.size[0], *self.size[2:], theta.shape[1])
        return places.astype(theta.dtype, copy=False).reshape(shape)

    def backward(self, g: Any) -> Any:
        rows = g.reshape(g.shape[0], len(self.saved), g.shape[-1])  # (N, P, 2)
        base = wrap(self.saved, g._device) if isinstance(g, Tensor) else self.saved
        return matmul(ctranspose(rows), base)

    def _base(self, like: Any) -> Any:
        """Homogeneous coordinates of every cell, in a range from -1 to 1."""
        xp = array_module(like)
        lines = [self._line(n) for n in self.size[2:]]
        places = np.stack(np.meshgrid(*lines, indexing="ij")[::-1], -1)
        places = places.reshape(-1, len(lines))  # (P, 2): x first
        base = np.concatenate([places, np.ones((len(places), 1))], 1)
        self.saved = xp.asarray(np.asarray(base).astype(like.dtype))
        return self.saved

    def _line(self, n: int) -> Any:
        if n <= 1:
            return np.zeros(n)
        line = np.linspace(-1, 1, n)
        return line if self.align_corners else line * (n - 1) / n


def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    """`affine_grid` without its checks.

    Math: y[n, p] = θ[n] (x_p, y_p, 1)ᵀ      ∂L/∂θ[n] = Σ_p g[n, p] (x_p, y_p, 1)
    Shape: (N, 2, 3) -> (N, H, W, 2), or (N, 3, 4) -> (N, D, H, W, 3)

    Raises:
        RuntimeError: for sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> theta = torch.tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]])
        >>> torch.affine_grid_generator(theta, (1, 1, 1, 2), True)
        tensor([[[[-0.5000,  0.0000],
                  [ 1.5000,  0.0000]]]])
    """
    if align_corners is not False and align_corners is not True:
        raise type_error(
            "bool", "align_corners", align_corners, "affine_grid_generator"
        )
    sizes = sizes_of((size,), "affine_grid_generator")
    return apply1(AffineGridGenerator(sizes, bool(align_corners)), theta)


def warn_of_align_corners(function: str) -> None:
    """Warn that `align_corners` was not given, since its default has changed."""
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to "
        "align_corners=False since 1.3.0. Please specify align_corners=True if the old "
        f"behavior is desired. See the documentation of {function} for details.",
        stacklevel=3,
    )


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The sampling grid of affine maps, for `grid_sample`.

    Math: y[n, p] = θ[n] (x_p, y_p, 1)ᵀ      ∂L/∂θ[n] = Σ_p g[n, p] (x_p, y_p, 1)
    Shape: (N, 2, 3) -> (N, H, W, 2), or (N, 3, 4) -> (N, D, H, W, 3)

    Args:
        theta: a matrix for each sample.
        size: of the images to make: (N, C, H, W) or (N, C, D, H, W).
        align_corners: -1 and 1 are the middles of the outermost cells, not their
            outer edges.

    Raises:
        ValueError: for integers, matrices or sizes that do not fit.
        NotImplementedError: for another number of sizes.

    Reference: Jaderberg, Simonyan, Zisserman and Kavukcuoglu (2015), "Spatial
    transformer networks".

    Example:
        >>> import edutorch as torch
        >>> theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> torch.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=True)
        tensor([[[[-1.,  0.],
                  [ 1.,  0.]]]])
    """
    if not theta.is_floating_point():
        raise ValueError(
            f"Expected theta to have floating point type, but got {theta.dtype}"
        )
    if len(size) not in (4, 5):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine "
            f"transforms, respectively. Got size {size}."
        )
    n = len(size) - 2
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (n, n + 1):
        raise ValueError(
            f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size "
            f"{size}. Got {theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    if align_corners is None:
        warn_of_align_corners("affine_grid")
    return affine_grid_generator(theta, size, bool(align_corners))
