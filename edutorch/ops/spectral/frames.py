"""Frequencies, and shifts of the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...tensor.tensor import Tensor, wrap
from ..attach import composite
from ..dims import dim_of
from ..shape.turning import roll

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The frequencies that the entries of a transform of size n belong to.

    Math: y = (0, 1, .., -2, -1) / (n d)
    Shape: (n)

    Args:
        d: the time between two samples.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fftfreq(4)
        tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    return _frequencies(np.fft.fftfreq(n, d), dtype, device, requires_grad)


def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The frequencies that the entries of `rfft` of size n belong to.

    Math: y = (0, 1, .., n/2) / (n d)
    Shape: (n/2 + 1)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfftfreq(4)
        tensor([0.0000, 0.2500, 0.5000])
    """
    return _frequencies(np.fft.rfftfreq(n, d), dtype, device, requires_grad)


def _frequencies(y: Any, dtype: Any, device: Any, requires_grad: bool) -> Tensor:
    kind = dtype or dtypes.get_default_dtype()
    found = wrap(y.astype(kind.numpy))
    found = found if device is None else found.to(device)
    return found.requires_grad_(requires_grad)


def _shift(x: Tensor, dim: Any, inverse: bool) -> Tensor:
    if dim is None:
        dims = list(range(x.ndim))
    else:
        dims = [dim_of(d, x.ndim) for d in ([dim] if isinstance(dim, int) else dim)]
    sizes = [x.shape[d] for d in dims]
    return roll(x, [(n + 1) // 2 if inverse else n // 2 for n in sizes], dims)


@composite
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequency 0 moved to the middle.

    Math: y[i] = x[(i - ⌊n/2⌋) mod n]      ∂L/∂x = g, shifted back
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fftshift(torch.tensor([0, 1, -2, -1]))
        tensor([-2, -1,  0,  1])
    """
    return _shift(input, dim, inverse=False)


@composite
def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequency 0 moved back to the front: the inverse of `fftshift`.

    Math: y[i] = x[(i + ⌊n/2⌋) mod n]      ∂L/∂x = g, shifted back
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1]))
        tensor([ 0,  1, -2, -1])
    """
    return _shift(input, dim, inverse=True)
