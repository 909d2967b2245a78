"""Adaptive pooling: the size of the result determines the windows."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply1
from ...kernels import adaptive_pool as kernels
from ...kernels.memory_format import match_image_format, row_major
from ...kernels.scatter import gather_planes, scatter_planes
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..argument_errors import argument_error, check_call, parser_errors
from ..reduce import mean
from .checks import Numbers, check_adaptive, expand_ints, need_gradient
from .lines import pool_line

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
]


class AdaptiveAvgPool(Op):
    """The mean of each of `out` windows that cover the input evenly.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, *S) -> (N, C, *out)
    """

    attributes = ("out",)
    saves = ()

    def __init__(self, out: Numbers) -> None:
        self.out = out

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"adaptive_avg_pool{len(self.out)}d"

    def name(self) -> str:
        """PyTorch's name of the node."""
        if set(self.out) == {1}:  # one window over everything
            return "MeanBackward1"
        return f"AdaptiveAvgPool{len(self.out)}DBackward0"

    @property
    def double_backward(self) -> str:
        """Mark a mean as linear, as PyTorch does."""
        return "" if set(self.out) == {1} else "zeros"

    def check(self, x: Tensor) -> None:
        """Refuse empty dimensions other than the batch."""
        check_adaptive(x, self.out, "avg")

    def forward(self, x: Any) -> Any:
        self.size = x.shape
        single = x.ndim == len(self.out) + 1
        y = kernels.adaptive_avg_pool(x[None] if single else x, self.out)
        return row_major(y[0]) if single else match_image_format(y, x)

    def backward(self, g: Any) -> Any:
        need_gradient(self.public, g)
        return apply1(AdaptiveAvgSpread(self.size, self.out), g)


class AdaptiveAvgSpread(Op):
    """Spreads each value evenly over its window: the gradient of `AdaptiveAvgPool`.

    Math: y[i] = Σ x[o] / |window o|, over the windows that i is in
          ∂L/∂x = the averages of g
    Shape: (N, C, *out) -> (N, C, *S)
    """

    attributes = ("size", "out")
    torch_name = "AdaptiveAvgPoolBackward"
    saves = ()

    def __init__(self, size: Numbers, out: Numbers) -> None:
        self.size, self.out = size, out

    def forward(self, x: Any) -> Any:
        single = x.ndim == len(self.out) + 1
        size = (1, *self.size) if single else self.size
        y = kernels.adaptive_avg_pool_backward(x[None] if single else x, size)
        return y[0] if single else y

    def backward(self, g: Any) -> Any:
        return apply1(AdaptiveAvgPool(self.out), g)


class AdaptiveMaxPool(Op):
    """The maximum of each of `out` windows that cover the input evenly.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, *S) -> (N, C, *out), and the positions of the maxima
    """

    double_backward = "zeros"
    attributes = ("out",)
    saves = ()
    saves_extra = True

    def __init__(self, out: Numbers) -> None:
        self.out = out

    @property
    def public(self) -> str:
        """The name of the public function."""
        return f"adaptive_max_pool{len(self.out)}d"

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"AdaptiveMaxPool{len(self.out)}DBackward0"

    def check(self, x: Tensor) -> None:
        """Refuse empty dimensions other than the batch."""
        check_adaptive(x, self.out, "max")

    def forward(self, x: Any) -> Any:
        self.size = x.shape
        single = x.ndim == len(self.out) + 1
        y, index = kernels.adaptive_max_pool(x[None] if single else x, self.out)
        self.saved = index
        if single:
            return row_major(y[0]), row_major(index[0])
        return match_image_format(y, x), match_image_format(index, x)

    def backward(self, g: Any, *_: Any) -> Any:
        need_gradient(self.public, g)
        return apply1(ScatterPlanes(self.saved, self.size), g)


class ScatterPlanes(Op):
    """Adds each value to the indexed element of its plane.

    Math: y[n, c, index[p]] += x[n, c, p]      ∂L/∂x = g[index]
    Shape: (N, C, *S') -> `size`
    """

    attributes = ("index", "size")
    saves = ()

    def __init__(self, index: Any, size: Numbers) -> None:
        self.index, self.size = index, size

    def forward(self, x: Any) -> Any:
        dims = self.index.ndim - 2
        shape = (*self.index.shape[:2], *self.size[len(self.size) - dims :])
        y = scatter_planes(x.reshape(self.index.shape), self.index, shape)
        return y.reshape(self.size)

    def backward(self, g: Any) -> Any:
        return apply1(GatherPlanes(self.index, self.size), g)


class GatherPlanes(ScatterPlanes):
    """The indexed elements of each plane: the transpose of `ScatterPlanes`.

    Math: y[n, c, p] = x[n, c, index[p]]      ∂L/∂x = g scattered
    Shape: `size` -> (N, C, *S')
    """

    def forward(self, x: Any) -> Any:
        dims = self.index.ndim - 2
        shape = (*self.index.shape[:2], *self.size[len(self.size) - dims :])
        y = gather_planes(x.reshape(shape), self.index)
        return y[0] if len(self.size) == dims + 1 else y

    def backward(self, g: Any) -> Any:
        return apply1(ScatterPlanes(self.index, self.size), g)


def _is_vector(value: Any) -> bool:
    return bool(getattr(value, "ndim", 0))


def _out_size(x: Any, given: Any, n: int, message: str) -> Numbers:
    """The output size; None means the size of the input."""
    if given is None:
        raise argument_error() or TypeError("object of type 'NoneType' has no len()")
    if n > 1 and isinstance(given, Tensor) and not given.ndim:
        check_call(False)  # it has no length
    if (n > 1 and isinstance(given, (str, bytes, dict))) or _is_vector(given):
        given = list(given)  # PyTorch accepts anything with a length
    if not isinstance(given, (list, tuple)):
        return expand_ints(given, n, message)
    if n > 1 and len(x.size()) <= len(given):
        raise ValueError(f"Input dimension should be at least {len(given) + 1}")
    if len(given) != n:
        words = message.replace("#", str(len(given)))
        raise argument_error() or RuntimeError(words)
    if None not in given or n == 1:
        return expand_ints(given, n, message)
    own = x.shape[-n:]
    return tuple(s if v is None else v for v, s in zip(given, own, strict=True))


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The mean of each of `output_size` windows that cover the input evenly.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, L) -> (N, C, n); N may be absent

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_avg_pool1d
        >>> f(torch.tensor([[1., 3., 2.]]), 1)
        tensor([[2.]])
    """
    message = (
        "adaptive_avg_pool1d() argument 'output_size' should contain one int (got #)"
    )
    out = _out_size(input, output_size, 1, message)
    empty = isinstance(input, Tensor) and not input.numel()
    images = _averages_of if empty else apply1
    return pool_line(images, AdaptiveAvgPool(out), AdaptiveAvgPool((1, *out)), input)


def _averages_of(op: AdaptiveAvgPool, x: Tensor) -> Tensor:
    return _averages(x, op.out)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The mean of each of `output_size` windows that cover the input evenly.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, H, W) -> (N, C, n, m); N may be absent; a size may be None: kept

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_avg_pool2d
        >>> f(torch.tensor([[[1., 3.], [2., 2.]]]), 1)
        tensor([[[2.]]])
    """
    message = "adaptive_avg_pool2d: output_size must be 2"
    return _averages(input, _out_size(input, output_size, 2, message))


@parser_errors
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The mean of each of `output_size` windows that cover the input evenly.

    Math: y[i] = mean of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g / count, spread
    Shape: (N, C, D, H, W) -> (N, C, l, n, m); N may be absent; a size may be None: kept

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_avg_pool3d
        >>> f(torch.ones(1, 2, 2, 2), 1)
        tensor([[[[1.]]]])
    """
    if _m.special_modes and adaptive_avg_pool3d in _m.modes.autocast:
        return _m.autocast(adaptive_avg_pool3d, input, output_size)
    message = "adaptive_avg_pool3d: output_size must be 3"
    return _averages(input, _out_size(input, output_size, 3, message))


def _averages(x: Tensor, out: Numbers) -> Tensor:
    """Averages over windows; one window over everything may be empty.

    PyTorch takes that for a mean, of inputs with any number of dimensions.
    """
    if out in ONE_WINDOW and (0 in x.shape or not 0 < x.ndim - len(out) < 3):
        return mean(x, tuple(range(-1, -len(out) - 1, -1)), keepdim=True)
    return apply1(AdaptiveAvgPool(out), x)


ONE_WINDOW = ((1, 1), (1, 1, 1))


def adaptive_max_pool1d(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> Any:
    """The maximum of each of `output_size` windows that cover the input evenly.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, n); N may be absent

    Args:
        input: the planes.
        output_size: size of the result.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool1d
        >>> f(torch.tensor([[1., 3., 2.]]), 1)
        tensor([[3.]])
    """
    need_tensors("adaptive_max_pool1d", input=input)
    return_indices = bool(return_indices)  # asked first, as in PyTorch
    y, index = _adaptive_max(input, output_size, 1)
    return (y, index) if return_indices else y


@parser_errors
def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool1d` that always returns the indices.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, L) -> (N, C, n), (N, C, n)

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool1d_with_indices
        >>> f(torch.tensor([[1.0, 3.0, 2.0]]), 1)
        (tensor([[3.]]), tensor([[1]]))
    """
    return _adaptive_max(input, output_size, 1)


@parser_errors
def adaptive_max_pool2d(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> Any:
    """The maximum of each of `output_size` windows that cover the input evenly.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, n, m); N may be absent; a size may be None: kept

    Args:
        input: the planes.
        output_size: size of the result.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool2d
        >>> f(torch.tensor([[[1., 3.], [2., 2.]]]), 1)
        tensor([[[3.]]])
    """
    need_tensors("adaptive_max_pool2d", input=input)
    return_indices = bool(return_indices)  # asked first, as in PyTorch
    y, index = _adaptive_max(input, output_size, 2)
    return (y, index) if return_indices else y


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool2d` that always returns the indices.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, H, W) -> (N, C, n, m), (N, C, n, m)

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool2d_with_indices
        >>> f(torch.tensor([[[1.0, 3.0], [4.0, 2.0]]]), 1)
        (tensor([[[4.]]]), tensor([[[2]]]))
    """
    return _adaptive_max(input, output_size, 2)


@parser_errors
def adaptive_max_pool3d(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> Any:
    """The maximum of each of `output_size` windows that cover the input evenly.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, l, n, m); N may be absent; a size may be None: kept

    Args:
        input: the planes.
        output_size: size of the result.
        return_indices: also return where each value stood in its flattened plane.

    Raises:
        RuntimeError: for an input of another rank, or an empty one.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool3d
        >>> f(torch.ones(1, 2, 2, 2), 1)
        tensor([[[[1.]]]])
    """
    if _m.special_modes and adaptive_max_pool3d in _m.modes.autocast:
        return _m.autocast(adaptive_max_pool3d, input, output_size, return_indices)
    need_tensors("adaptive_max_pool3d", input=input)
    return_indices = bool(return_indices)  # asked first, as in PyTorch
    y, index = _adaptive_max(input, output_size, 3)
    return (y, index) if return_indices else y


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool3d` that always returns the indices.

    Math: y[i] = max of x[⌊i·S/n⌋ : ⌈(i+1)·S/n⌉]      ∂L/∂x = g at the maxima
    Shape: (N, C, D, H, W) -> (N, C, l, n, m), (N, C, l, n, m)

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.adaptive_max_pool3d_with_indices
        >>> f(torch.arange(8.0).reshape(1, 2, 2, 2), 1)
        (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _adaptive_max(input, output_size, 3)


def _adaptive_max(x: Tensor, size: Any, n: int) -> tuple[Tensor, Tensor]:
    name = f"adaptive_max_pool{n}d"
    message = f"{name}(): internal error: output_size.size() must be {n}"
    if n == 1:
        message = f"{name}() argument 'output_size' should contain one int (got #)"
    out = _out_size(x, size, n, message)
    op = AdaptiveMaxPool(out)
    image_op = AdaptiveMaxPool((1, *out))
    y, index = pool_line(apply, op, image_op, x) if n == 1 else apply(op, x)
    return y, index
