"""Sizes, dimensions and scaling of Fourier transforms."""

from __future__ import annotations

import operator
from typing import Any

from ...autograd.dispatch import apply1
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, tensor_of, type_error
from ..argument_errors import argument_error, check_integer
from ..convert.copy_fill import clone
from ..dims import axis_for, dim_unless_scalar
from ..pointwise.conjugate import conj
from ..shape.pad import pad
from ..shape.slices import narrow
from .dft import (
    OPPOSITE_NORM,
    Irfft,
    ToComplex,
    complex_fft,
    real_fft,
)

__all__: list[str] = []

OF_REAL = ("fft_rfft", "fft_ihfft", "fft_rfftn")  # which look at the dtype first


def check_transform(
    name: str, x: Any, n: Any, dim: Any, norm: Any, axis: Any
) -> tuple[tuple[int], list[int]]:
    """The dimension and size of a one-dimensional transform.

    Raises:
        TypeError: unless `x` is a tensor, `n` and `dim` integers, `norm` a string.
        RuntimeError: for a size that is not positive.
    """
    check_tensor_and_norm(name, x, norm)
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, -1)
    for argument, value in (("n", n), ("dim", dim)):
        is_int = hasattr(value, "__index__") and not isinstance(value, bool)
        check_integer(value)
        if not is_int and (value is not None or argument == "dim"):
            raise argument_error() or TypeError(
                f"{name}(): argument '{argument}' must be int, not "
                f"{type(value).__name__}"
            )
    if name in OF_REAL:
        need_real(name.removeprefix("fft_"), x)
    _check_precision(x)
    along = dim_unless_scalar(dim, x.ndim)
    size = x.shape[along] if n is None else operator.index(n)
    if n is not None:
        check_points(size)
    return (along,), [size]


def check_points(n: int) -> None:
    """Raise for a transform of no points."""
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def check_tensor_and_norm(name: str, x: Any, norm: Any) -> None:
    """Raise unless the argument is a tensor and the norm, if given, is a string."""
    need_tensors(name, input=x)
    if norm is not None and not isinstance(norm, str):
        raise argument_error() or TypeError(
            f"{name}(): argument 'norm' must be str, not {type(norm).__name__}"
        )


def integers(name: str, argument: str, value: Any) -> list[int] | None:
    """A list of one or several integers; None for None."""
    if value is None:
        return None
    several = isinstance(value, (tuple, list))
    given = value if several else [value]
    if not all(hasattr(v, "__index__") and not isinstance(v, bool) for v in given):
        raise type_error("tuple of ints", argument, value, name)
    return [operator.index(v) for v in given]


def need_dims(name: str, x: Any, s: Any, dim: Any, norm: Any) -> None:
    """Raise for arguments of the wrong kind, and for missing dimensions.

    Raises:
        TypeError: in PyTorch's words.
    """
    check_tensor_and_norm(name, x, norm)
    integers(name, "s", s)
    if integers(name, "dim", dim) is None:
        raise argument_error() or TypeError(
            f"{name}(): argument 'dim' must be tuple of ints, not NoneType"
        )


def dims_and_sizes(
    name: str, x: Any, s: Any, dim: Any, norm: Any
) -> tuple[tuple[int, ...], list[int]]:
    """The dimensions and sizes of a multi-dimensional transform."""
    check_tensor_and_norm(name, x, norm)
    s, dim = integers(name, "s", s), integers(name, "dim", dim)
    if name in OF_REAL:
        need_real(name.removeprefix("fft_"), x)
    if dim is None:
        first = 0 if s is None else x.ndim - len(s)
        if s is not None and first < 0:
            raise RuntimeError(
                f"Got shape with {len(s)} values but input tensor only has {x.ndim} "
                "dimensions."
            )
        dims = tuple(range(first, x.ndim))
    else:
        dims = tuple(dim_unless_scalar(d, x.ndim) for d in dim)
    if len(set(dims)) < len(dims):
        raise RuntimeError("FFT dims must be unique")
    if s is None:
        s = [-1] * len(dims)
    if len(s) != len(dims):
        raise RuntimeError(
            "When given, dim and shape arguments must have the same length"
        )
    sizes = [x.shape[d] if n == -1 else n for d, n in zip(dims, s, strict=True)]
    for n in sizes:
        check_points(n)
    return dims, sizes


def norm_name(norm: str | None) -> str:
    """The name of a normalisation; None is "backward"."""
    if norm is None:
        return "backward"
    if norm not in OPPOSITE_NORM:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return norm


def _check_precision(x: Tensor) -> None:
    if x._data.dtype.itemsize == 2 and x._data.dtype.kind in "fV":
        raise RuntimeError(f"Unsupported dtype {x.dtype.short}")


def as_complex(x: Tensor) -> Tensor:
    """A tensor of complex numbers with the same elements.

    Raises:
        RuntimeError: for half precision.
    """
    _check_precision(x)
    return x if x._data.dtype.kind == "c" else apply1(ToComplex(), x)


def need_real(name: str, x: Tensor) -> None:
    """Raise for complex numbers, which PyTorch refuses before it looks at sizes."""
    if x._data.dtype.kind == "c":
        kind = "real-valued" if name == "rfftn" else "real"
        raise RuntimeError(
            f"{name} expects a {kind} input tensor, but got {x.dtype.short}"
        )


def _as_real(name: str, x: Tensor) -> Tensor:
    need_real(name, x)
    _check_precision(x)
    return x if x._data.dtype.kind == "f" else x * 1.0


def complex_transform(
    x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None, inverse: bool
) -> Tensor:
    """The transform of complex numbers, after resizing; or of real ones in one dim."""
    _check_precision(x)
    if x._data.dtype.kind != "f":
        x = as_complex(x)
    x = resized(x, sizes, dims)
    scale = norm_name(norm)
    if not dims:
        return clone(x)
    if inverse and x._data.dtype.kind == "f":  # the conjugate of the other direction
        result: Tensor = conj(complex_fft(x, dims, OPPOSITE_NORM[scale], inverse=False))
        return result
    return complex_fft(x, dims, scale, inverse)


def real_transform(
    name: str, x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None,
    last: int = 0,
) -> Tensor:  # fmt: skip
    """The half transform of real numbers, after resizing.

    Args:
        last: along how many of the dimensions, the last ones; 0 for all.
    """
    x = resized(_as_real(name, x), sizes, dims)
    return real_fft(x, dims[-last:], norm_name(norm))


def resized(x: Tensor, sizes: list[int], dims: tuple[int, ...]) -> Tensor:
    """A tensor cut, or filled with zeros, to the given sizes.

    Raises:
        RuntimeError: for a size that is not positive.
    """
    padding = [0] * (2 * x.ndim)  # of the last dimension first
    for d, n in zip(dims, sizes, strict=True):
        check_points(n)
        x = narrow(x, d, 0, n) if n < x.shape[d] else x
        padding[2 * (x.ndim - 1 - d) + 1] = n - x.shape[d]
    while padding and not padding[-1]:
        del padding[-2:]
    return pad(x, padding) if padding else x


def half_transform(
    x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None
) -> Tensor:
    """The inverse of a half transform; the last of `sizes` is that of the result."""
    x = as_complex(x)
    *before, n = sizes
    x = resized(x, [*before, n // 2 + 1], dims)
    return apply1(Irfft(dims, norm_name(norm), n), x)


def hermitian_transform(
    x: Tensor, sizes: list[int], dims: tuple[int, ...], norm: str | None
) -> Tensor:
    """The transform of what is Hermitian along the last dimension."""
    opposite = opposite_norm_for(x, norm)
    *before, n = sizes
    x = resized(as_complex(x), [*before, n // 2 + 1], dims)
    if before:
        x = complex_fft(x, dims[:-1], norm_name(norm), inverse=False)
    return apply1(Irfft(dims[-1:], opposite, n), conj(x))


def half_sizes(
    name: str, x: Tensor, s: Any, dim: Any, norm: Any
) -> tuple[tuple[int, ...], list[int]]:
    """Like `dims_and_sizes`; the last size defaults to what a half size implies."""
    dims, sizes = dims_and_sizes(name, x, s, dim, norm)
    if not dims:
        raise RuntimeError(
            f"{name.removeprefix('fft_')} must transform at least one axis"
        )
    given = integers(name, "s", s)
    if given is None or given[-1] == -1:
        n = x.shape[dims[-1]]
        check_points(n)
        sizes[-1] = 2 * (n - 1)
    check_points(sizes[-1])
    return dims, sizes


def check_real_out(name: str, out: Any) -> None:
    """Raise for a real result with a complex `out`."""
    if out is not None and tensor_of(out, argument="out").is_complex():
        raise RuntimeError(
            f"{name} expects a floating point output tensor, but got {out.dtype.short}"
        )


def opposite_norm_for(x: Tensor, norm: str | None) -> str:
    """`opposite_norm`, for a transform that PyTorch checks the dtype of first.

    Raises:
        RuntimeError: for another norm, and half precision.
    """
    _check_precision(x)
    return opposite_norm(norm)


def opposite_norm(norm: str | None) -> str:
    """The name of the normalisation for the opposite direction."""
    return OPPOSITE_NORM[norm_name(norm)]
