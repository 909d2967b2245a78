"""Fourier transforms over several dimensions."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...tensor.tensor import Tensor
from ..argument_errors import parser_errors
from ..dims import axis_for
from ..pointwise.conjugate import conj, conj_physical
from ..registration import composite, copyto
from .arguments import (
    as_complex,
    check_points,
    check_real_out,
    complex_transform,
    dims_and_sizes,
    half_sizes,
    half_transform,
    hermitian_transform,
    need_dims,
    opposite_norm_for,
    real_transform,
)

__all__ = [
    "fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2",
    "irfftn", "rfft2", "rfftn",
]  # fmt: skip


@parser_errors
def fftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Fourier transform over several dimensions, see `fft`.

    Math: y[k] = Σⱼ x[j] e^(-2πi k·j / n)
          ∂L/∂x[j] = Σₖ g[k] e^(2πi k·j / n)
    Shape: (*) -> (*), with the sizes `s` along `dim`

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fftn(torch.ones(1, 2))
        tensor([[2.+0.j, 0.+0.j]])
    """
    if _m.special_modes and fftn in _m.modes.autocast:
        return _m.autocast(fftn, input, s, dim, norm, out=out)
    dims, sizes = dims_and_sizes("fft_fftn", input, s, dim, norm)
    result = complex_transform(as_complex(input), sizes, dims, norm, inverse=False)
    return result if out is None else copyto(out, result, "fft_fftn", (input, s))


@parser_errors
def ifftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Inverse of `fftn`.

    Math: y[j] = Σₖ x[k] e^(2πi k·j / n) / n
          ∂L/∂x[k] = Σⱼ g[j] e^(-2πi k·j / n) / n
    Shape: (*) -> (*), with the sizes `s` along `dim`

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifftn(torch.tensor([[2.0, 0.0]]))
        tensor([[1.+0.j, 1.+0.j]])
    """
    if _m.special_modes and ifftn in _m.modes.autocast:
        return _m.autocast(ifftn, input, s, dim, norm, out=out)
    dims, sizes = dims_and_sizes("fft_ifftn", input, s, dim, norm)
    result = complex_transform(as_complex(input), sizes, dims, norm, inverse=True)
    return result if out is None else copyto(out, result, "fft_ifftn", (input, s))


def rfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Fourier transform of real numbers over several dimensions, see `rfft`.

    Math: y[k] = Σⱼ x[j] e^(-2πi k·j / n), without the mirrored half
          ∂L/∂x[j] = Re Σₖ g[k] e^(2πi k·j / n)
    Shape: (*) -> (*), with n/2 + 1 along the last of `dim`

    Raises:
        RuntimeError: for no dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfftn(torch.ones(1, 2))
        tensor([[2.+0.j, 0.+0.j]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if _m.special_modes and rfftn in _m.modes.autocast:
        return _m.autocast(rfftn, input, s, dim, norm, out=out)
    dims, sizes = dims_and_sizes("fft_rfftn", input, s, dim, norm)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    result = real_transform("rfftn", input, sizes, dims, norm)
    return result if out is None else copyto(out, result, "fft_rfftn", (input, s))


def irfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """Inverse of `rfftn`.

    Math: y[j] = Σₖ x[k] e^(2πi k·j / n) / n, x mirrored
          ∂L/∂x[k] = c Σⱼ g[j] e^(-2πi k·j / n) / n, c = 2 where x is mirrored, else 1
    Shape: (*) -> (*), with the sizes `s` along `dim`

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.irfftn(torch.tensor([[2.0, 0.0]]))
        tensor([[1., 1.]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    if _m.special_modes and irfftn in _m.modes.autocast:
        return _m.autocast(irfftn, input, s, dim, norm, out=out)
    dims, sizes = half_sizes("fft_irfftn", input, s, dim, norm)
    check_real_out("irfftn", out)
    result = half_transform(input, sizes, dims, norm)
    return result if out is None else copyto(out, result, "fft_irfftn", (input, s))


@composite
def hfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """`hfft` over several dimensions.

    Math: y[j] = Σₖ x[k] e^(-2πi k·j / n), x mirrored
          ∂L/∂x[k] = c Σⱼ g[j] e^(2πi k·j / n), c = 2 where x is mirrored, else 1
    Shape: (*) -> (*), with the sizes `s` along `dim`

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.hfftn(torch.tensor([[1.0, 0.0]]))
        tensor([[1., 1.]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    dims, sizes = half_sizes("fft_hfftn", input, s, dim, norm)
    check_real_out("hfftn", out)
    result = hermitian_transform(input, sizes, dims, norm)
    return result if out is None else copyto(out, result, "fft_hfftn", (input, s))


@composite
@parser_errors
def ihfftn(
    input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Inverse of `hfftn`.

    Math: y[k] = Σⱼ x[j] e^(2πi k·j / n) / n, without the mirrored half
          ∂L/∂x[j] = Re Σₖ g[k] e^(-2πi k·j / n) / n
    Shape: (*) -> (*), with n/2 + 1 along the last of `dim`

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ihfftn(torch.tensor([[2.0, 0.0]])).real
        tensor([[1., 1.]])
    """
    dims, sizes = dims_and_sizes("fft_ihfftn", input, s, dim, norm)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    opposite = opposite_norm_for(input, norm)
    if input.is_complex():
        for n in sizes:
            check_points(n)
        raise RuntimeError(
            f"Only supports floating-point dtypes, but found: {input.dtype.short}"
        )
    half = real_transform("ihfftn", input, sizes, dims, opposite, 1)
    if len(dims) == 1:
        result: Tensor = conj(half)
    else:
        half = conj_physical(half)
        result = complex_transform(half, sizes[:-1], dims[:-1], norm, inverse=True)
    return result if out is None else copyto(out, result, "fft_ihfftn", (input, s))


@parser_errors
def fft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`fftn` over the last two dimensions.

    Math: y[k] = Σⱼ x[j] e^(-2πi k·j / n)
          ∂L/∂x[j] = Σₖ g[k] e^(2πi k·j / n)
    Shape: (.., n, m) -> (.., n, m), or `s` there

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fft2(torch.ones(1, 2))
        tensor([[2.+0.j, 0.+0.j]])
    """
    need_dims("fft_fft2", input, s, dim, norm)
    return fftn(input, s, dim, norm, out=out)


def ifft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """`ifftn` over the last two dimensions.

    Math: y[j] = Σₖ x[k] e^(2πi k·j / n) / n
          ∂L/∂x[k] = Σⱼ g[j] e^(-2πi k·j / n) / n
    Shape: (.., n, m) -> (.., n, m), or `s` there

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifft2(torch.tensor([[2.0, 0.0]]))
        tensor([[1.+0.j, 1.+0.j]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, (-2, -1))
    need_dims("fft_ifft2", input, s, dim, norm)
    return ifftn(input, s, dim, norm, out=out)


@parser_errors
def rfft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`rfftn` over the last two dimensions.

    Math: y[k] = Σⱼ x[j] e^(-2πi k·j / n), without the mirrored half
          ∂L/∂x[j] = Re Σₖ g[k] e^(2πi k·j / n)
    Shape: (.., n, m) -> (.., n, m/2 + 1)

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfft2(torch.ones(1, 2))
        tensor([[2.+0.j, 0.+0.j]])
    """
    need_dims("fft_rfft2", input, s, dim, norm)
    return rfftn(input, s, dim, norm, out=out)


def irfft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """`irfftn` over the last two dimensions.

    Math: y[j] = Σₖ x[k] e^(2πi k·j / n) / n, x mirrored
          ∂L/∂x[k] = c Σⱼ g[j] e^(-2πi k·j / n) / n, c = 2 where x is mirrored, else 1
    Shape: (.., n, m) -> (.., n, 2 (m - 1)), or `s` there

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.irfft2(torch.tensor([[2.0, 0.0]]))
        tensor([[1., 1.]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, (-2, -1))
    need_dims("fft_irfft2", input, s, dim, norm)
    return irfftn(input, s, dim, norm, out=out)


@parser_errors
def hfft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`hfftn` over the last two dimensions.

    Math: y[j] = Σₖ x[k] e^(-2πi k·j / n), x mirrored
          ∂L/∂x[k] = c Σⱼ g[j] e^(2πi k·j / n), c = 2 where x is mirrored, else 1
    Shape: (.., n, m) -> (.., n, 2 (m - 1)), or `s` there

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.hfft2(torch.tensor([[1.0, 0.0]]))
        tensor([[1., 1.]])
    """
    need_dims("fft_hfft2", input, s, dim, norm)
    return hfftn(input, s, dim, norm, out=out)


def ihfft2(
    input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None,
    *, out: Tensor | None = None, axis: Any = None,
) -> Tensor:  # fmt: skip
    """`ihfftn` over the last two dimensions.

    Math: y[k] = Σⱼ x[j] e^(2πi k·j / n) / n, without the mirrored half
          ∂L/∂x[j] = Re Σₖ g[k] e^(-2πi k·j / n) / n
    Shape: (.., n, m) -> (.., n, m/2 + 1)

    Raises:
        RuntimeError: for sizes that are not positive or do not belong to `dim`, another
            `norm`, and half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ihfft2(torch.tensor([[2.0, 0.0]])).real
        tensor([[1., 1.]])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, (-2, -1))
    need_dims("fft_ihfft2", input, s, dim, norm)
    return ihfftn(input, s, dim, norm, out=out)
