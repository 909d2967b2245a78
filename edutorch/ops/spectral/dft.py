"""Discrete Fourier transforms.

# Note [Adjoints of transforms]
A transform is a symmetric matrix F with a scale. Its gradient is that of every linear
map, gx = Fᴴ g: the transform in the other direction with the *same* scale. What is
scaled by 1/n in one direction is not scaled in the other, so the name of the scaling
is reversed as well ("backward" <-> "forward"), and "ortho" stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends import array_module
from ...kernels.memory_format import cast_preserving_strides
from ...tensor.tensor import Tensor
from ..promotion import as_floating
from ..shape.pad import pad
from ..shape.slices import narrow

__all__: list[str] = []

OPPOSITE_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


class Fft(Op):
    """Fourier transform of complex numbers, forward or inverse.

    Math: y[k] = scale · Σ x[j] e^(∓2πi jk/n)
          ∂L/∂x[j] = scale · Σₖ g[k] e^(±2πi jk/n)
    Shape: (*) -> (*)

    Reference: Cooley and Tukey, 1965
    """

    torch_name = "FftC2C"
    attributes = ("dims", "norm", "inverse")
    saves = ()
    real = False  # whether the input was real

    def __init__(self, dims: tuple[int, ...], norm: Any, inverse: bool) -> None:
        self.dims, self.norm, self.inverse = dims, norm, inverse

    def name(self) -> str:
        """PyTorch's name of the node, which differs for real input."""
        return "FftR2CBackward0" if self.real else "FftC2CBackward0"

    def forward(self, x: Any) -> Any:
        self.real = x.dtype.kind != "c"
        function = np.fft.ifftn if self.inverse else np.fft.fftn
        y = function(x, axes=self.dims, norm=self.norm)
        order = _memory_order(x.strides, self.dims, -1)
        return _match_memory_order(_match_precision(y, x), order)

    def backward(self, g: Any) -> Any:
        return complex_fft(g, self.dims, OPPOSITE_NORM[self.norm], not self.inverse)


def _match_precision(y: Any, x: Any) -> Any:
    """The result in single precision if the input was."""
    if x.dtype.itemsize == 4 or x.dtype == np.complex64:
        return y.astype(np.complex64 if y.dtype.kind == "c" else np.float32, copy=False)
    return y


def _match_memory_order(y: Any, order: list[int]) -> Any:
    """The result with its dimensions in this order in memory, the innermost last."""
    reordered = y.transpose(order)
    if not reordered.flags.c_contiguous:
        reordered = reordered.copy()
    return reordered.transpose([order.index(d) for d in range(y.ndim)])


def _memory_order(steps: Sequence[int], dims: tuple[int, ...], last: int) -> list[int]:
    """The memory order of PyTorch's results: transformed dimensions vary fastest.

    Dimensions of both kinds stay in the order that they have in the input's memory,
    except `last`, the dimension of which only half is stored.

    Example:
        >>> _memory_order((8, 4, 1), (0, 1), -1)  # strides
        [2, 0, 1]
    """
    batch = sorted(set(range(len(steps))) - set(dims), key=lambda d: -steps[d])
    return batch + sorted(dims, key=lambda d: (d == last, -steps[d]))


def complex_fft(x: Any, dims: tuple[int, ...], norm: str, inverse: bool) -> Any:
    """The transform of complex numbers, for formulas."""
    return apply1(Fft(dims, norm, inverse), x)


class Rfft(Op):
    """Fourier transform of real numbers: the half that determines the rest.

    Math: y[k] = scale · Σ x[j] e^(-2πi jk/n), k <= n/2      ∂L/∂x = Re(Fᴴ (g, 0))
    Shape: (.., n) -> (.., n/2 + 1)
    """

    torch_name = "FftR2C"
    attributes = ("dims", "norm")
    saves = ()

    def __init__(self, dims: tuple[int, ...], norm: Any) -> None:
        self.dims, self.norm = dims, norm

    def forward(self, x: Any) -> Any:
        self.n = x.shape[self.dims[-1]]
        y = np.fft.rfftn(x, axes=self.dims, norm=self.norm)
        order = _memory_order(x.strides, self.dims, self.dims[-1])
        return _match_memory_order(_match_precision(y, x), order)

    def backward(self, g: Any) -> Any:
        g = resize_dim(g, self.dims[-1], self.n)
        return complex_fft(g, self.dims, OPPOSITE_NORM[self.norm], inverse=True).real


class Irfft(Op):
    """Real numbers from half of their Fourier transform.

    Math: y = scale · Σ x[k] e^(2πi jk/n) over both halves
          ∂L/∂x = the transform of g, twice where the other half repeats it
    Shape: (.., n/2 + 1) -> (.., n)
    """

    torch_name = "FftC2R"
    attributes = ("dims", "norm", "n")
    saves = ()

    def __init__(self, dims: tuple[int, ...], norm: Any, n: int) -> None:
        self.dims, self.norm, self.n = dims, norm, n

    def forward(self, x: Any) -> Any:
        shape = [x.shape[d] for d in self.dims[:-1]] + [self.n]
        y = np.fft.irfftn(x, shape, axes=self.dims, norm=self.norm)
        *before, last = self.dims
        steps = x.strides
        if before:  # PyTorch transforms complex numbers along these first
            order = _memory_order(steps, tuple(before), -1)
            steps = [-order.index(d) for d in range(x.ndim)]
        order = _memory_order(steps, (last,), last)
        return _match_memory_order(_match_precision(y, x), order)

    def backward(self, g: Any) -> Any:
        last = self.dims[-1]
        gx = real_fft(g, self.dims, OPPOSITE_NORM[self.norm])
        array = getattr(g, "_data", g)
        twice = array_module(array).full(gx.shape[last], 2.0, array.dtype)
        twice[0] = 1
        if self.n % 2 == 0:
            twice[-1] = 1
        shape = [-1 if d == last else 1 for d in range(gx.ndim)]
        return gx * twice.reshape(shape)


def real_fft(x: Any, dims: tuple[int, ...], norm: str) -> Any:
    """The half transform of real numbers, for formulas."""
    return apply1(Rfft(dims, norm), x)


def resize_dim(x: Any, dim: int, n: int) -> Any:
    """`x` truncated or zero-padded to size `n` along a dimension."""
    size = x.shape[dim]
    if n == size:
        return x
    if n < size:
        return narrow(x, dim, 0, n)
    if isinstance(x, Tensor):
        return pad(x, (0, 0) * (x.ndim - 1 - dim) + (0, n - size))
    return np.pad(x, [(0, n - size if d == dim else 0) for d in range(x.ndim)])


class ToComplex(Op):
    """Converts real numbers to complex ones.

    Math: y = x + 0i      ∂L/∂x = Re g
    """

    torch_name = "ToCopy"
    saves = ()

    def forward(self, x: Any) -> Any:
        x = as_floating(x)
        if x.dtype.kind == "c":
            return x
        kind = dtypes.of_numpy[x.dtype].to_complex().numpy
        return cast_preserving_strides(x, kind)

    def backward(self, g: Any) -> Any:
        return g.real
