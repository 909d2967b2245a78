"""Power-average pooling: from sums (p = 1) to near maxima (large p)."""

from __future__ import annotations

import math
from math import prod
from typing import Any

from ...tensor.tensor import Tensor
from ..activations import relu
from ..argument_checks import type_error
from ..argument_errors import parser_errors
from ..int_arguments import ints_of
from ..pointwise import abs, sign
from ..registration import composite
from .average import avg_pool1d, avg_pool2d, avg_pool3d
from .max import max_pool1d, max_pool2d, max_pool3d

__all__ = ["lp_pool1d", "lp_pool2d", "lp_pool3d"]


def _unpacked(kernel: Any, n: int) -> Any:
    """The sizes of a window, given as one number or `n`.

    Raises:
        ValueError: for another number of sizes, in Python's words.
    """
    if isinstance(kernel, int) or not hasattr(kernel, "__len__"):
        return (kernel,) * n
    if len(kernel) > n:
        raise ValueError(f"too many values to unpack (expected {n})")
    if len(kernel) < n:
        raise ValueError(
            f"not enough values to unpack (expected {n}, got {len(kernel)})"
        )
    return ints_of(kernel)


@composite
@parser_errors
def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The p-norm of each window along one dimension.

    Math: y[i] = (Σ_k x[i·stride + k]^p)^(1/p)
          ∂L/∂x[i·stride + k] += g[i] · (x[i·stride + k] / y[i])^(p-1)
    Shape: (N, C, L) -> (N, C, L'); N may be absent

    Args:
        input: the planes.
        norm_type: p.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch.
        ceil_mode: a last, partial window counts.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.lp_pool1d(torch.tensor([[3., 4.]]), 2, 2)
        tensor([[5.]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "lp_pool1d")
    if isinstance(norm_type, float) and norm_type == math.inf:
        return max_pool1d(abs(input), kernel_size, stride, 0, 1, ceil_mode)
    mean = avg_pool1d(input**norm_type, kernel_size, stride, 0, ceil_mode)
    if isinstance(kernel_size, (tuple, list)):
        kind = type(kernel_size).__name__
        raise TypeError(
            f"mul(): argument 'other' (position 1) must be Tensor, not {kind}"
        )
    return (sign(mean) * relu(abs(mean)) * kernel_size) ** (1.0 / norm_type)


@composite
@parser_errors
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The p-norm of each window over two dimensions.

    Math: y[i] = (Σ_k x[i·stride + k]^p)^(1/p)
          ∂L/∂x[i·stride + k] += g[i] · (x[i·stride + k] / y[i])^(p-1)
    Shape: (N, C, H, W) -> (N, C, H', W'); N may be absent

    Args:
        input: the planes.
        norm_type: p.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch.
        ceil_mode: a last, partial window counts.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.lp_pool2d(torch.ones(1, 2, 2), 2, 2)
        tensor([[[2.]]])
    """
    if ceil_mode is not False and ceil_mode is not True:
        raise type_error("bool", "ceil_mode", ceil_mode, "lp_pool2d")
    if isinstance(norm_type, float) and norm_type == math.inf:
        return max_pool2d(abs(input), kernel_size, stride, 0, 1, ceil_mode)
    cells = prod(_unpacked(kernel_size, 2))
    mean = avg_pool2d(input**norm_type, kernel_size, stride, 0, ceil_mode)
    return (sign(mean) * relu(abs(mean)) * cells) ** (1.0 / norm_type)


@composite
def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The p-norm of each window over three dimensions.

    Math: y[i] = (Σ_k x[i·stride + k]^p)^(1/p)
          ∂L/∂x[i·stride + k] += g[i] · (x[i·stride + k] / y[i])^(p-1)
    Shape: (N, C, D, H, W) -> (N, C, D', H', W'); N may be absent

    Args:
        input: the planes.
        norm_type: p.
        kernel_size: size of the window.
        stride: steps between windows; by default they touch.
        ceil_mode: a last, partial window counts.

    Raises:
        RuntimeError: for impossible arguments, or if no window fits.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.lp_pool3d(torch.ones(1, 2, 2, 2) * 2, 2, 2)
        tensor([[[[5.6569]]]])
    """
    if isinstance(norm_type, float) and norm_type == math.inf:
        return max_pool3d(abs(input), kernel_size, stride, 0, 1, ceil_mode)
    cells = prod(_unpacked(kernel_size, 3))
    mean = avg_pool3d(input**norm_type, kernel_size, stride, 0, ceil_mode)
    return (sign(mean) * relu(abs(mean)) * cells) ** (1.0 / norm_type)
