"""Frequencies, shifts of the origin, and transforms of short frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...tensor.tensor import Tensor, wrap
from ..attach import composite, public
from ..convert.complexes import view_as_real
from ..dims import dim_of
from ..shape.pad import pad
from ..shape.turning import roll
from .lines import fft, rfft

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq", "stft"]


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

    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1]))
        tensor([ 0,  1, -2, -1])
    """
    return _shift(input, dim, inverse=True)


@public("stft")
@composite
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """Fourier transforms of short frames of a signal.

    Math: y[k, m] = Σ w[j] · x[m · hop + j] e^(-2πi jk/n)
    Shape: (b, t) or (t) -> (b, f, frames) or (f, frames)

    Args:
        n_fft: the size of a frame.
        hop_length: from one frame to the next; a quarter of a frame if not given.
        win_length: the size of the window, which is put in the middle of a frame.
        center: whether frame m is centred at m · hop; else it begins there.
        normalized: divide by the square root of the size.
        onesided: only the half that determines the other; for real signals.

    Raises:
        RuntimeError: for signals of other dimensions and sizes that do not fit.

    Reference: Allen and Rabiner, 1977

    Example:
        >>> import edutorch as torch
        >>> torch.stft(torch.ones(8), 4, return_complex=True).shape
        torch.Size([3, 9])
    """
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    is_complex = input.is_complex() or (window is not None and window.is_complex())
    half = not is_complex if onesided is None else onesided
    if return_complex is None and not is_complex:
        raise RuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and "
            "will further require that return_complex=True in a future PyTorch release."
        )
    x = input if input.ndim == 2 else input[None]
    if center:
        x = pad(x[None], (n_fft // 2, n_fft // 2), pad_mode)[0]
    _check_frames(x, n_fft, hop, length, window)
    frames = x.unfold(-1, n_fft, hop)  # (b, frames, n)
    if window is not None:
        left = (n_fft - length) // 2
        frames = frames * pad(window, (left, n_fft - length - left))
    elif length < n_fft:
        left = (n_fft - length) // 2
        ones = np.zeros(n_fft, frames._data.real.dtype)
        ones[left : left + length] = 1
        frames = frames * ones
    norm = "ortho" if normalized else None
    y = rfft(frames, norm=norm) if half else fft(frames, norm=norm)
    y = y.transpose(1, 2)  # (b, f, frames)
    y = y if input.ndim == 2 else y[0]
    return view_as_real(y) if return_complex is False else y


def _check_frames(x: Tensor, n: int, hop: int, length: int, window: Any) -> None:
    size = x.shape[-1]
    if n <= 0 or n > size:
        raise RuntimeError(
            f"stft: expected 0 < n_fft < {size}, but got n_fft={n} (hop_length={hop}, "
            f"win_length={length})"
        )
    if hop <= 0:
        raise RuntimeError(f"stft: expected hop_length > 0, but got hop_length={hop}")
    if length <= 0 or length > n:
        raise RuntimeError(
            f"stft: expected 0 < win_length <= n_fft, but got win_length={length}"
        )
    if window is not None and tuple(window.shape) != (length,):
        raise RuntimeError(
            "stft: expected a 1D window tensor of size equal to "
            f"win_length={length}, but got window with size {list(window.shape)}"
        )
