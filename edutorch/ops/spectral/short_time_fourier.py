"""Short-time Fourier transforms and their inverse."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import apply1
from ...autograd.op_errors import type_name
from ...backends.flags import warn_once
from ...callers import stack_level
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_flags, need_tensors
from ..argument_errors import invalid_combination, parser_errors
from ..convert.complex_numbers import view_as_complex, view_as_real
from ..reduce.min_max import min as smallest
from ..registration import composite, public
from ..shape.pad import pad
from ..shape.slices import narrow
from ..shape.squeezing import squeeze, unsqueeze
from ..shape.strides import UnfoldBackward, as_strided
from .fft_1d import fft, ifft, irfft, rfft

__all__ = ["istft", "stft"]

LEAKAGE = (
    ",which is known to cause spectral leakage. Other windows such as "
    "torch.hann_window or torch.hamming_window are recommended to reduce spectral "
    "leakage."
)
LOSS = ".Please provide the same window used by stft to make the inversion lossless."
REAL_PAIRS = (
    "stft with return_complex=False is deprecated. In a future pytorch release, stft "
    "will return complex tensors for all inputs, and return_complex=False will raise "
    "an error.\nNote: you can still call torch.view_as_real on the complex output to "
    "recover the old return format."
)


@public("stft")
@composite
@parser_errors
@reported
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
    """Short-time Fourier transform: the spectra of short frames of a signal.

    Math: y[k, m] = Σ w[j] · x[m · hop + j] e^(-2πi jk/n)
          ∂L/∂x[m · hop + j] = Re Σₖ w[j] g[k, m] e^(2πi jk/n), of all frames added
    Shape: (b, t) or (t) -> (b, f, frames) or (f, frames)

    Args:
        n_fft: the size of a frame.
        hop_length: the step between frames; a quarter of a frame if not given.
        win_length: the size of the window, which is centred in a frame.
        center: whether frame m is centred at m · hop; else it begins there.
        normalized: divide by the square root of the size.
        onesided: only the half that determines the other; for real signals.
        align_to_window: without `center`: whether the first window, not the first
            frame, begins with the signal.

    Raises:
        RuntimeError: for signals of other dimensions and sizes that do not fit.

    Reference: Allen and Rabiner, 1977

    Example:
        >>> import edutorch as torch
        >>> beat = torch.tensor([1.0, 0.0, -1.0, 0.0]).repeat(3)  # a period of 4
        >>> w = torch.ones(4)
        >>> y = torch.stft(beat, 4, window=w, center=False, return_complex=True)
        >>> y.abs()[:, 0], y.shape  # all of it at frequency 1 of 0, 1, 2
        (tensor([0., 2., 0.]), torch.Size([3, 9]))
    """
    if _m.special_modes and stft in _m.modes.autocast:
        return _m.autocast(
            stft, input, n_fft, hop_length, win_length, window, center, pad_mode,
            normalized, onesided, return_complex, align_to_window,
        )  # fmt: skip
    x = input
    if center:  # PyTorch does so before it looks at the other arguments
        x = _pad_centred(x, n_fft // 2, pad_mode, align_to_window)
    _check_arguments(input, window, normalized, onesided, return_complex)
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    is_complex = input.is_complex() or (window is not None and window.is_complex())
    if return_complex is None and not is_complex:
        raise RuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and "
            "will further require that return_complex=True in a future PyTorch release."
        )
    prefix = (
        f"stft({_signal_str(x)}, n_fft={n_fft}, hop_length={hop}, win_length={length}, "
        f"window={_window_str(window)}, normalized={normalized:d}, "
        f"onesided={_flag_str(onesided)}, return_complex={_flag_str(return_complex)}, "
        f"align_to_window={_flag_str(align_to_window)}) : expected "
    )
    x = unsqueeze(x, 0) if x.ndim == 1 else x
    _check_signal(prefix, x, n_fft, hop, length, window)
    if return_complex is False:
        warnings.warn(REAL_PAIRS, stacklevel=stack_level())
    half = _is_onesided(onesided, not is_complex, is_complex)
    if align_to_window and length < n_fft:
        x = _pad_window(x, n_fft, length)
    frames = _frames(x, n_fft, hop)
    if window is not None or length < n_fft:
        frames = frames * _padded_window(window, n_fft, length, x)
    y = _spectra(frames, half, normalized)  # (b, f, frames)
    if input.ndim == 1:
        y.squeeze_(0)
    return view_as_real(y) if return_complex is False else y


def _frames(x: Tensor, n: int, hop: int) -> Tensor:
    """Frames of signals, which may overlap: (b, t) -> (b, frames, n)."""
    batch, step = x.stride()
    shape = (x.shape[0], 1 + (x.shape[1] - n) // hop, n)
    frames: Tensor = as_strided(x, shape, (batch, hop * step, step))
    return frames


def _check_arguments(
    input: Any, window: Any, normalized: Any, onesided: Any, return_complex: Any
) -> None:
    """Check the types of tensors and flags; two flags may be None."""
    need_flags("stft", normalized=normalized)
    need_tensors("stft", input=input)
    flags = all(
        f is None or f is True or f is False for f in (onesided, return_complex)
    )
    if not (flags and (window is None or isinstance(window, Tensor))):
        raise invalid_combination("stft")
    if window is None:
        _warn_without_window(LEAKAGE)


def _warn_without_window(consequence: str) -> None:
    warn_once(
        f"A window was not provided. A rectangular window will be applied{consequence}"
        "To suppress this warning and use a rectangular window, explicitly set "
        "`window=torch.ones(n_fft, device=<device>)`."
    )


def _spectra(frames: Tensor, half: bool, normalized: bool) -> Tensor:
    """The spectrum of each frame, one-sided for real signals."""
    norm = "ortho" if normalized else None
    y = rfft(frames, norm=norm) if half else fft(frames, norm=norm)
    return y.transpose_(1, 2)  # (b, f, frames)


def _pad_centred(x: Tensor, n: int, mode: str, align_to_window: bool | None) -> Tensor:
    """Pad the signal by half a frame at both ends, so that frames are centred."""
    if align_to_window is not None:
        raise RuntimeError(
            "stft align_to_window should only be set when center = false"
        )
    spread = x.reshape((1,) * (3 - x.ndim) + tuple(x.shape)) if x.ndim < 3 else x
    padded = pad(spread, (n, n), mode)  # `pad` requires three dimensions
    return padded.reshape(*x.shape[:-1], padded.shape[-1])


def _pad_window(x: Tensor, n: int, length: int) -> Tensor:
    """Pad a frame with zeros on both sides of its window."""
    left = (n - length) // 2
    return pad(x, (left, n - length - left))


def _is_onesided(onesided: bool | None, default: bool, is_complex: Any) -> bool:
    """Whether the transform is one-sided."""
    half = default if onesided is None else onesided
    if half and is_complex:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    return half


def _padded_window(window: Any, n: int, length: int, like: Tensor) -> Tensor:
    """The window, or ones, centred in a frame."""
    if window is None:
        window = wrap(np.ones(length, like._data.real.dtype)).to(like.device)
    if length == n:
        return window
    whole = window.new_zeros(n)
    left = (n - length) // 2
    narrow(whole, 0, left, length).copy_(window)
    return whole


def _signal_str(x: Tensor) -> str:
    """A signal as in PyTorch's messages."""
    sizes = ", ".join(map(str, x.shape))
    return f"{type_name(x)}[{sizes}]"


def _window_str(window: Any) -> str:
    """A window as in PyTorch's messages."""
    if window is None:
        return "None"
    sizes = ", ".join(map(str, window.shape))
    return f"{type_name(window)}{{[{sizes}]}}"


def _flag_str(value: bool | None) -> str:
    return "None" if value is None else str(int(value))


def _check_signal(
    prefix: str, x: Tensor, n: int, hop: int, length: int, window: Any
) -> None:
    size = x.shape[-1]
    wrong = None
    if not (x.is_floating_point() or x.is_complex()):
        wrong = "a tensor of floating point or complex values"
    elif x.ndim != 2:
        wrong = "a 1D or 2D tensor"
    elif n <= 0 or n > size:
        wrong = f"0 < n_fft < {size}, but got n_fft={n}"
    elif hop <= 0:
        wrong = f"hop_length > 0, but got hop_length={hop}"
    elif length <= 0 or length > n:
        wrong = f"0 < win_length <= n_fft, but got win_length={length}"
    elif window is not None and tuple(window.shape) != (length,):
        wrong = (
            f"a 1D window tensor of size equal to win_length={length}, but got window "
            f"with size {list(window.shape)}"
        )
    if wrong:
        raise RuntimeError(prefix + wrong)
    wider = window is not None and window.dtype.itemsize > 2
    if x.is_floating_point() and x.dtype.itemsize == 2 and not wider:
        raise RuntimeError(f"MKL FFT doesn't support tensors of type: {x.dtype.short}")


@public("istft")
@composite
@parser_errors
@reported
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """Inverse short-time Fourier transform: the signal with the given spectra.

    Math: x[t] = Σ w[j] · y[m, j] / Σ w[j]² over the frames m with t = m · hop + j,
          y[m] the inverse transform of frame m; the least squares solution
          ∂L/∂(frame m) = the transform of w[j] g[m · hop + j] / Σ w², over n
    Shape: (b, f, frames) or (f, frames) -> (b, t) or (t)

    Args:
        n_fft: the size of a frame, as for `stft`.
        hop_length: the step between frames; a quarter of a frame if not given.
        win_length: the size of the window, which was centred in a frame.
        center: whether the signal was padded by half a frame at both ends.
        length: the length of the signal; by default what the frames cover.
        return_complex: whether the signal was complex.

    Raises:
        RuntimeError: for shapes that do not fit, and windows that leave gaps.

    Reference: Griffin and Lim, 1984

    Example:
        >>> import edutorch as torch
        >>> w = torch.ones(4)
        >>> frames = torch.stft(torch.ones(8), 4, window=w, return_complex=True)
        >>> torch.istft(frames, 4, window=w)
        tensor([1., 1., 1., 1., 1., 1., 1., 1.])
    """
    need_flags(
        "istft", center=center, normalized=normalized, return_complex=return_complex
    )
    need_tensors("istft", input=input)
    if window is None:
        _warn_without_window(LOSS)
    hop = n_fft // 4 if hop_length is None else hop_length
    size = n_fft if win_length is None else win_length
    prefix = (
        f"istft({_signal_str(input)}, "
        f"n_fft={n_fft}, hop_length={hop}, win_length={size}, "
        f"window={_window_str(window)}, center={center:d}, normalized={normalized:d}, "
        f"onesided={_flag_str(onesided)}, length={length}, "
        f"return_complex={return_complex:d}) "
    )
    _check_transform(prefix, input, n_fft, hop, size, window, onesided)
    y = view_as_real(input)
    y = y if input.ndim == 3 else unsqueeze(y, 0)
    y = view_as_complex(y.transpose(1, 2))  # (b, frames, f)
    norm = "ortho" if normalized else None
    is_complex = return_complex or (window is not None and window.is_complex())
    _is_onesided(onesided, y.shape[-1] != n_fft, is_complex)
    if return_complex:
        frames = ifft(y, norm=norm)
    else:  # one half determines the other
        half = n_fft // 2 + 1
        y = y if y.shape[-1] == half else narrow(y, -1, 0, half)
        frames = irfft(y, n_fft, norm=norm)
    weights = _padded_window(window, n_fft, size, frames)
    x = _overlap_add(frames * weights, hop)
    total = _overlap_add((weights * weights).expand(1, *frames.shape[1:]), hop)
    x = _trim_and_normalize(prefix, x, total, n_fft // 2 if center else 0, length)
    return x if input.ndim == 3 else squeeze(x, 0)


def _overlap_add(frames: Tensor, hop: int) -> Tensor:
    """Overlap-add of frames: (b, frames, n) -> (b, t)."""
    b, m, n = frames.shape
    return apply1(UnfoldBackward(1, n, hop, (b, n + hop * (m - 1))), frames)


def _trim_and_normalize(
    prefix: str, x: Tensor, total: Tensor, start: int, length: int | None
) -> Tensor:
    """The signal between the ends, divided by the sum of squared windows."""
    covered = x.shape[-1]
    end = covered - start if length is None else start + length
    cut = min(end, covered) - start
    x, total = narrow(x, 1, start, cut), narrow(total, 1, start, cut)
    lowest = smallest(abs(total))
    if not lowest.item() > 1e-11:
        raise RuntimeError(f"{prefix}window overlap add min: 1")
    x = x / total
    if end > covered:
        warnings.warn(
            "The length of signal is shorter than the length parameter. Result is "
            "being padded with zeros in the tail. Please check your center and "
            "hop_length settings.",
            stacklevel=3,
        )
        x = pad(x, (0, end - covered))
    return x


def _check_transform(
    prefix: str, y: Tensor, n: int, hop: int, size: int, window: Any, onesided: Any
) -> None:
    if not y.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from "
            "stft with return_complex=True."
        )
    if y.ndim < 2:
        raise IndexError(
            "Dimension out of range (expected to be in range of [-2, 1], but got -3)"
        )
    rows = y.shape[-2]
    half = rows != n if onesided is None else onesided
    expected, word = (n // 2 + 1, "True") if half else (n, "False")
    wrong = None
    if not y._data.size:
        wrong = "input tensor cannot be empty."
    elif y.ndim not in (2, 3):
        wrong = f"expected a tensor with 3 or 4 dimensions, but got {y.ndim + 1}"
    elif rows != expected:
        wrong = (
            "expected the frequency dimension (3rd to the last) of the input tensor to "
            f"match n_fft{' / 2 + 1' if half else ''} when onesided={word}, but got "
            f"{rows}"
        )
    elif not 0 < hop <= size:
        wrong = "expected 0 < hop_length <= win_length"
    elif not 0 < size <= n:
        wrong = "expected 0 < win_length <= n_fft"
    elif window is not None and tuple(window.shape) != (size,):
        wrong = "Invalid window shape. window has to be 1D and length of `win_length`"
    if wrong:
        raise RuntimeError(f"{prefix}: {wrong}")
