"""Sizes, dimensions and scalings of transforms, and transforms with them applied."""

from __future__ import annotations

from typing import Any

from ...autograd.op import apply1
from ...tensor.tensor import Tensor
from ..dims import dim_of
from .transforms import (
    TURNED,
    Irfft,
    ToComplex,
    complex_fft,
    real_fft,
    resized,
)

__all__: list[str] = []


def checked(name: str, x: Tensor, n: int | None, dim: int) -> tuple[int, int]:
    """The dimension and size of a one-dimensional transform."""
    along = dim_of(dim, x.ndim)
    if n is not None and n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    return along, x.shape[along] if n is None else n


def dims_and_sizes(x: Tensor, s: Any, dim: Any) -> tuple[tuple[int, ...], list[int]]:
    """The dimensions and sizes of a transform of several dimensions."""
    s = None if s is None else ([s] if isinstance(s, int) else list(s))
    if dim is None:
        first = 0 if s is None else x.ndim - len(s)
        if s is not None and first < 0:
            raise RuntimeError(
                f"Got shape with {len(s)} values but input tensor only has {x.ndim} "
                "dimensions."
            )
        dims = tuple(range(first, x.ndim))
    else:
        given = [dim] if isinstance(dim, int) else dim
        dims = tuple(dim_of(d, x.ndim) for d in given)
    if len(set(dims)) < len(dims):
        raise RuntimeError("FFT dims must be unique")
    if s is None:
        s = [-1] * len(dims)
    if len(s) != len(dims):
        raise RuntimeError(
            "When given, dim and shape arguments must have the same length"
        )
    return dims, [x.shape[d] if n == -1 else n for d, n in zip(dims, s, strict=True)]


def norm_of(norm: str | None) -> str:
    """The name of a scaling; None is "backward"."""
    if norm is None:
        return "backward"
    if norm not in TURNED:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return norm


def _as_complex(x: Tensor) -> Tensor:
    return x if x._data.dtype.kind == "c" else apply1(ToComplex(), x)


def _as_real(name: str, x: Tensor) -> Tensor:
    if x._data.dtype.kind == "c":
        kind = "real-valued" if name == "rfftn" else "real"
        raise RuntimeError(
            f"{name} expects a {kind} input tensor, but got {x.dtype.short}"
        )
    return x if x._data.dtype.kind == "f" else x * 1.0


def complex_transform(
    x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None, inverse: bool
) -> Tensor:
    """The transform of complex numbers, brought to the right sizes first."""
    x = _as_complex(x)
    for d, n in zip(dims, sizes, strict=True):
        x = resized(x, d, n)
    return complex_fft(x, dims, norm_of(norm), inverse) if dims else x


def real_transform(
    name: str, x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None
) -> Tensor:
    """Half the transform of real numbers, brought to the right sizes first."""
    x = _as_real(name, x)
    for d, n in zip(dims, sizes, strict=True):
        x = resized(x, d, n)
    return real_fft(x, dims, norm_of(norm))  # type: ignore[no-any-return]


def half_transform(
    x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None
) -> Tensor:
    """From half a transform; the last of `sizes` is that of the result."""
    x = _as_complex(x)
    *before, n = sizes
    for d, size in zip(dims, [*before, n // 2 + 1], strict=True):
        x = resized(x, d, size)
    return apply1(Irfft(dims, norm_of(norm), n), x)


def half_sizes(x: Tensor, s: Any, dim: Any) -> tuple[tuple[int, ...], list[int]]:
    """As `dims_and_sizes`; the last size, if not given, is what half a size means."""
    dims, sizes = dims_and_sizes(x, s, dim)
    given = None if s is None else ([s] if isinstance(s, int) else list(s))
    if not dims:
        raise RuntimeError("irfftn must transform at least one axis")
    if given is None or given[-1] == -1:
        sizes[-1] = 2 * (x.shape[dims[-1]] - 1)
    if sizes[-1] < 1:
        raise RuntimeError(f"Invalid number of data points ({sizes[-1]}) specified")
    return dims, sizes


def turned_norm(norm: str | None) -> str:
    """The name of the scaling of the other direction."""
    return TURNED[norm_of(norm)]
