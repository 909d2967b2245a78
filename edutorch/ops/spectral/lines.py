"""Fourier transforms along one dimension."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from ..attach import composite, into
from ..pointwise.arithmetic import conj
from .arguments import (
    checked,
    complex_transform,
    half_sizes,
    half_transform,
    real_transform,
    turned_norm,
)

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def fft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Fourier transform along a dimension.

    Math: y[k] = scale · Σ x[j] e^(-2πi jk/n)
          ∂L/∂x[j] = Σₖ g[k] e^(2πi k·j / n)
    Shape: (.., m, ..) -> (.., n, ..)

    Args:
        n: cut the input, or fill it with zeros, to this size first.
        norm: "backward" (scale 1), "ortho" (1/√n) or "forward" (1/n).

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fft(torch.tensor([1.0, 0.0, 0.0, 0.0]))
        tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    along, size = checked("fft", input, n, dim)
    result = complex_transform(input, [size], (along,), norm, inverse=False)
    return result if out is None else into(out, result)


def ifft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Inverse of `fft`.

    Math: y[j] = scale · Σ x[k] e^(2πi jk/n), scale 1/n unless `norm` says otherwise
          ∂L/∂x[k] = Σⱼ g[j] e^(-2πi k·j / n) / n
    Shape: (.., m, ..) -> (.., n, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifft(torch.tensor([4.0, 0.0, 0.0, 0.0]))
        tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    along, size = checked("ifft", input, n, dim)
    result = complex_transform(input, [size], (along,), norm, inverse=True)
    return result if out is None else into(out, result)


def rfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Fourier transform of real numbers; of the symmetric result one half.

    Math: y[k] = scale · Σ x[j] e^(-2πi jk/n), k <= n/2
          ∂L/∂x[j] = Re Σₖ g[k] e^(2πi k·j / n)
    Shape: (.., m, ..) -> (.., n/2 + 1, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfft(torch.tensor([1.0, 0.0, 0.0, 0.0]))
        tensor([1.+0.j, 1.+0.j, 1.+0.j])
    """
    along, size = checked("rfft", input, n, dim)
    result = real_transform("rfft", input, [size], (along,), norm)
    return result if out is None else into(out, result)


def irfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Inverse of `rfft`: real numbers from half a transform.

    Math: y[j] = scale · Σ x[k] e^(2πi jk/n) over both halves
          ∂L/∂x[k] = c Σⱼ g[j] e^(-2πi k·j / n) / n, c = 2 where x is mirrored, else 1
    Shape: (.., m, ..) -> (.., n, ..), n = 2 (m - 1) if not given

    Example:
        >>> import edutorch as torch
        >>> torch.fft.irfft(torch.tensor([4.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    dims, sizes = half_sizes(input, None if n is None else (n,), (dim,))
    result = half_transform(input, sizes, dims, norm)
    return result if out is None else into(out, result)


@composite
def hfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Fourier transform of a signal of which one half is given; the result is real.

    Math: as irfft(conj(x)), with the scale of `fft`
          ∂L/∂x[k] = c Σⱼ g[j] e^(2πi k·j / n), c = 2 where x is mirrored, else 1
    Shape: (.., m, ..) -> (.., n, ..), n = 2 (m - 1) if not given

    Example:
        >>> import edutorch as torch
        >>> torch.fft.hfft(torch.tensor([1.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    result = irfft(conj(input), n, dim, turned_norm(norm))
    return result if out is None else into(out, result)


@composite
def ihfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Inverse of `hfft`: half of a symmetric signal.

    Math: as conj(rfft(x)), with the scale of `ifft`
          ∂L/∂x[j] = Re Σₖ g[k] e^(-2πi k·j / n) / n
    Shape: (.., m, ..) -> (.., n/2 + 1, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ihfft(torch.tensor([4.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1.])
    """
    along, size = checked("ihfft", input, n, dim)
    half = real_transform("ihfft", input, [size], (along,), turned_norm(norm))
    result: Tensor = conj(half)
    return result if out is None else into(out, result)
