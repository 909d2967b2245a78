"""Frequencies, and shifts of the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...devices import to_device
from ...tensor.tensor import Tensor, strided
from ..argument_checks import need_tensors, number_of, type_error
from ..create.factory import same_dtype, tensor_on_device
from ..dims import axis_for, dim_unless_scalar, refuse_negative_sizes
from ..int_arguments import int_of
from ..registration import composite, copyto
from ..shape.flip_roll import roll
from .arguments import integers

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The sample frequencies of a transform of size n.

    Math: y = (0, 1, .., -2, -1) / (n d)
    Shape: (n)

    Args:
        d: the time between two samples.

    Raises:
        RuntimeError: for a negative n, and a dtype of integers.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fftfreq(4)
        tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    return _frequencies("fftfreq", n, d, out, dtype, device, requires_grad)


def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = strided,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The sample frequencies of `rfft` of size n.

    Math: y = (0, 1, .., n/2) / (n d)
    Shape: (n/2 + 1)

    Raises:
        RuntimeError: for a negative n, and a dtype of integers.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.rfftfreq(4)
        tensor([0.0000, 0.2500, 0.5000])
    """
    return _frequencies("rfftfreq", n, d, out, dtype, device, requires_grad)


def _frequencies(
    name: str, n: Any, d: float, out: Any, dtype: Any, device: Any, requires_grad: bool
) -> Tensor:
    """The frequencies of all entries of a transform, or of the first half."""
    n = int_of(n, "n", f"fft_{name}")
    d = number_of(d, "d", f"fft_{name}")
    if isinstance(d, complex):
        raise type_error("float", "d", d, f"fft_{name}")
    kind = dtypes.to_dtype(same_dtype(dtype, out) or dtypes.get_default_dtype())
    if kind.numpy.kind not in "fcV":
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    count = n if name == "fftfreq" else int(n / 2) + 1  # rounded towards zero
    refuse_negative_sizes((count,))
    if kind.is_complex:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{kind.short}'")
    i = np.arange(count, dtype=np.float64)
    if name == "fftfreq":
        i[(n + 1) // 2 :] -= n
    with np.errstate(divide="ignore", invalid="ignore"):
        y = i * (1 / np.float64(n * d))
    target = to_device(device if out is None else out.device)
    result = tensor_on_device(y.astype(kind.numpy), target, requires_grad)
    return result if out is None else copyto(out, result, f"fft_{name}")


def _shift(name: str, x: Tensor, dim: Any, inverse: bool) -> Tensor:
    """Swap the two halves along each dimension."""
    need_tensors(name, input=x)
    if dim is None:
        dims = list(range(x.ndim))
    else:
        given = integers(name, "dim", dim) or ()
        dims = [dim_unless_scalar(d, x.ndim) for d in given]
    sizes = [x.shape[d] for d in dims]
    return roll(x, [(n + 1) // 2 if inverse else n // 2 for n in sizes], dims)


@composite
def fftshift(input: Tensor, dim: Any = None, *, axis: Any = None) -> Tensor:
    """Move frequency 0 to the centre.

    Math: y[i] = x[(i - ⌊n/2⌋) mod n]      ∂L/∂x = g, shifted back
    Shape: (*) -> (*)

    Raises:
        IndexError: for dimensions that do not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.fftshift(torch.tensor([0, 1, -2, -1]))
        tensor([-2, -1,  0,  1])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    return _shift("fft_fftshift", input, dim, inverse=False)


@composite
def ifftshift(input: Tensor, dim: Any = None, *, axis: Any = None) -> Tensor:
    """Move frequency 0 back to the front: the inverse of `fftshift`.

    Math: y[i] = x[(i + ⌊n/2⌋) mod n]      ∂L/∂x = g, shifted back
    Shape: (*) -> (*)

    Raises:
        IndexError: for dimensions that do not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1]))
        tensor([ 0,  1, -2, -1])
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis)
    return _shift("fft_ifftshift", input, dim, inverse=True)
