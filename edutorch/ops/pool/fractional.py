"""Fractional max pooling: windows at random positions, for any size ratio.

Reference: Graham (2015), "Fractional max-pooling".
"""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...kernels import fractional_pool as kernels
from ...random.continuous import uniform
from ...random.generator import generator_for
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_complex_gradients, refuse_gradients
from ..argument_errors import parser_errors
from ..dims import dim_unless_scalar
from .adaptive import ScatterPlanes
from .checks import Numbers, check_float, expand_ints

__all__ = [
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
]

NAMES = {2: ("height", "width"), 3: ("time", "height", "width")}


class FractionalMaxPool(Op):
    """The maximum of each of `out` windows at random positions.

    Math: y[i] = max x[start_i : start_i + k], start_i = ⌊(i + u) α⌋ − ⌊u α⌋,
          α = (S − k) / (n − 1)      ∂L/∂x = g at the maxima
    Shape: (N, C, *S) -> (N, C, *out), and the positions of the maxima
    """

    double_backward = "zeros"
    attributes = ("kernel", "out")
    saves = ()
    saves_extra = True

    def __init__(self, kernel: Numbers, out: Numbers, samples: Any) -> None:
        self.kernel, self.out, self.samples = kernel, out, samples

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"FractionalMaxPool{len(self.kernel)}DBackward0"

    def check(self, x: Tensor) -> None:
        """Check that enough windows of this size fit."""
        n = len(self.kernel)
        tail = "()" if n == 2 else "_out()"
        for d in range(1, x.ndim):
            if not x.shape[d]:
                raise RuntimeError(
                    f"fractional_max_pool{n}d{tail}: Expected input to have non-zero "
                    f"size for non-batch dimensions, but got{list(x.shape)} with "
                    f"dimension {d} being empty."
                )
        sizes = zip(NAMES[n], x.shape[-n:], self.kernel, self.out, strict=True)
        for axis, s, k, out in sizes:
            if out + k - 1 > s - (n == 3):  # PyTorch requires one more cell for volumes
                raise RuntimeError(
                    f"fractional_max_pool{n}d{tail}: pool {axis} {k} too large "
                    f"relative to input {axis} {s}"
                )
        if x._data.size and min(self.out) > 0:
            check_float(x, f"fractional_max_pool{n}d_out_frame")
        refuse_complex_gradients(f"fractional_max_pool{n}d", x)
        if min(self.out) < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {min(self.out)}: "
                f"{[*x.shape[:-n], *self.out]}"
            )

    def forward(self, x: Any) -> Any:
        self.size = x.shape
        single = x.ndim == len(self.out) + 1
        images = x[None] if single else x
        y, index = kernels.fractional_max_pool(
            images, self.kernel, self.out, self.samples
        )
        self.saved = index
        return (y[0], index[0]) if single else (y, index)

    def backward(self, g: Any, *_: Any) -> Any:
        return apply1(ScatterPlanes(self.saved, self.size), g)


def _fractional(
    x: Any, kernel: Any, size: Any, ratio: Any, samples: Any, n: int
) -> tuple[Tensor, Tensor]:
    name = f"fractional_max_pool{n}d"
    if size is None and ratio is None:
        raise ValueError(
            f"{name} requires specifying either an output_size or an output_ratio"
        )
    if size is None:
        if n == 3 and isinstance(ratio, (float, int)):  # as PyTorch, for volumes only
            ratio = (ratio,) * n
        if len(ratio) > n == 2:
            raise ValueError(
                f"{name} requires output_ratio to either be a single Int or tuple of "
                "Ints."
            )
        ratio = tuple(ratio)
        size = [int(x.size(d - n) * ratio[d]) for d in range(n)]
    if samples is None:  # PyTorch draws them first of all
        for dim in (0, -n - 1):
            dim_unless_scalar(dim, x.dim())
        _refuse_integers(x)
    return _pooled(x, kernel, size, samples, n)


@parser_errors
def _pooled(
    x: Any, kernel: Any, size: Any, samples: Any, n: int
) -> tuple[Tensor, Tensor]:
    """The maxima of windows, and their indices."""
    name = f"fractional_max_pool{n}d"
    ints = "tuple of three Ints" if n == 3 else "tuple of Ints"
    k = _sizes(kernel, n, f"{name}: kernel_size must either be a single Int or {ints}")
    out = _sizes(size, n, f"{name}: output_size must either be a single Int or {ints}")
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            f"{name}(): Expected {n + 1}D or {n + 2}D tensor, but got: {list(x.shape)}"
        )
    if samples is None:
        batch = 1 if x.ndim == n + 1 else x.shape[0]
        shape = (batch, x.shape[-n - 1], n)
        u = uniform(generator_for(x._device), shape, x._data.dtype)
    else:
        refuse_gradients(name, random_samples=samples)
        _check_samples(samples, x, n)
        u = samples._data
    y, index = apply(FractionalMaxPool(k, out, u), x)
    return y, index


def _refuse_integers(x: Tensor) -> None:
    """Reject integers, for which PyTorch cannot draw offsets."""
    if not (x.is_floating_point() or x.is_complex()):
        check_float(x, "check_uniform_bounds")


def _sizes(given: Any, n: int, message: str) -> Numbers:
    """A size for each dimension; a sequence of one size is not repeated."""
    if isinstance(given, (tuple, list)) and len(given) != n:
        raise RuntimeError(message)
    return expand_ints(given, n, message)


def _check_samples(samples: Tensor, x: Tensor, n: int) -> None:
    if samples.dtype != x.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if samples.ndim != 3:
        raise RuntimeError(
            f"Expect _random_samples to have 3 dimensions, got {samples.ndim}"
        )
    batch = 1 if x.ndim == n + 1 else x.shape[0]
    if samples.shape[0] < batch:
        raise RuntimeError(
            "Expect _random_samples.size(0) no less then input batch size."
        )
    if samples.shape[1] != x.shape[-n - 1]:
        raise RuntimeError(
            "Expect _random_samples.size(1) equals to input channel size."
        )
    if samples.shape[2] != n:
        raise RuntimeError(
            f"Expect _random_samples.size(2) equals to {n}; got {samples.shape[2]}."
        )


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima of windows at random positions, for a result of any size.

    Math: y[i] = max x[start_i : start_i + k], start_i = ⌊(i + u) α⌋ − ⌊u α⌋,
          α = (S − k) / (n − 1)      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, n, m); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the windows.
        output_size: size of the result, or
        output_ratio: its ratio to the size of the input, each in (0, 1).
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        ValueError: if neither size nor ratio is given.
        RuntimeError: where the windows find no room.

    Reference: Graham (2015), "Fractional max-pooling".

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(25.0).reshape(1, 5, 5)
        >>> y = torch.nn.functional.fractional_max_pool2d(x, 2, output_size=3)
        >>> y.shape, y.max()  # the last window always ends with the image
        (torch.Size([1, 3, 3]), tensor(24.))
    """
    if _m.special_modes and fractional_max_pool2d in _m.modes.autocast:
        return _m.autocast(
            fractional_max_pool2d, input, kernel_size, output_size, output_ratio,
            return_indices, _random_samples,
        )  # fmt: skip
    return_indices = bool(return_indices)  # asked first, as in PyTorch
    y, index = _fractional(
        input, kernel_size, output_size, output_ratio, _random_samples, 2
    )
    return (y, index) if return_indices else y


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """`fractional_max_pool2d` that always returns the indices.

    Math: y[i] = max x[start_i : start_i + k], see `fractional_max_pool2d`
          ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, n, m), (N, C, n, m)
    Reference: Graham (2015), "Fractional max-pooling".

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.fractional_max_pool2d_with_indices
        >>> y, i = f(torch.arange(25.0).reshape(1, 5, 5), 2, output_size=3)
        >>> (y == i).all()  # here each value is its index
        tensor(True)
    """
    return _fractional(
        input, kernel_size, output_size, output_ratio, _random_samples, 2
    )


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima of windows at random positions, for a result of any size.

    Math: y[i] = max x[start_i : start_i + k], start_i = ⌊(i + u) α⌋ − ⌊u α⌋,
          α = (S − k) / (n − 1)      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, l, n, m); N may be absent

    Args:
        input: the planes.
        kernel_size: size of the windows.
        output_size: size of the result, or
        output_ratio: its ratio to the size of the input, each in (0, 1).
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        ValueError: if neither size nor ratio is given.
        RuntimeError: where the windows find no room.

    Reference: Graham (2015), "Fractional max-pooling".

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(125.0).reshape(1, 5, 5, 5)
        >>> y = torch.nn.functional.fractional_max_pool3d(x, 2, output_size=3)
        >>> y.shape, y.max()
        (torch.Size([1, 3, 3, 3]), tensor(124.))
    """
    if _m.special_modes and fractional_max_pool3d in _m.modes.autocast:
        return _m.autocast(
            fractional_max_pool3d, input, kernel_size, output_size, output_ratio,
            return_indices, _random_samples,
        )  # fmt: skip
    return_indices = bool(return_indices)  # asked first, as in PyTorch
    y, index = _fractional(
        input, kernel_size, output_size, output_ratio, _random_samples, 3
    )
    return (y, index) if return_indices else y


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """`fractional_max_pool3d` that always returns the indices.

    Math: y[i] = max x[start_i : start_i + k], see `fractional_max_pool3d`
          ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, l, n, m), (N, C, l, n, m)
    Reference: Graham (2015), "Fractional max-pooling".

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.fractional_max_pool3d_with_indices
        >>> y, i = f(torch.arange(125.0).reshape(1, 5, 5, 5), 2, output_size=3)
        >>> (y == i).all()  # here each value is its index
        tensor(True)
    """
    return _fractional(
        input, kernel_size, output_size, output_ratio, _random_samples, 3
    )
