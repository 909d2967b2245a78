"""Views of the same memory with another shape or dtype."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import dtypes, events
from ...autograd.dispatch import Op, apply1
from ...autograd.modes import modes
from ...autograd.unbroadcast import sum_to
from ...errors import raise_if
from ...op_events import reported_as
from ...tensor.conj_neg_view import ConjNegView, in_memory
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor, contiguous_format
from ..argument_checks import tensor_of, type_error
from ..argument_errors import argument_error
from ..convert.copy_fill import Clone, contiguous
from ..dims import check_named_sizes, dim_of, ndim_of, sizes_of
from ..registration import method, public
from .reshape_checks import infer_shape, viewable

__all__ = ["flatten", "ravel", "reshape", "unflatten"]


class View(Op):
    """The same elements in another shape.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`
    """

    backward_in_single = False
    attributes = ("shape",)
    onnx = "Reshape"
    is_view = True
    saves = ()

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        try:
            return x.reshape(self.shape)
        except ValueError:
            infer_shape(self.shape, x.size)  # raises the error for the shape
            raise

    def backward(self, g: Any) -> Any:
        return reshape(g, self.old_shape)


class ReshapeAlias(View):
    """A `View` of memory with gaps, made by `reshape`.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    """


class Reshape(View):
    """A copy in another shape, where no view exists.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`
    """

    takes_float8 = True
    forward_in_single = False
    is_view = False
    torch_name = "UnsafeView"


class UnsafeView(Reshape):
    """A `Reshape` of a copy that nothing else refers to.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`
    """

    public, takes_float8 = "_unsafe_view", True


def reshape(input: Tensor, shape: Any) -> Tensor:
    """The same elements in another shape: a view if possible, else a copy.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`; one size may be -1

    Raises:
        RuntimeError: if the number of elements differs.

    Example:
        >>> import edutorch as torch
        >>> torch.reshape(torch.arange(6), (3, -1))
        tensor([[0, 1],
                [2, 3],
                [4, 5]])
    """
    if not isinstance(input, Tensor):
        if not modes.takes_arrays:
            raise type_error("Tensor", "input", input, "reshape")
        return input.reshape(shape)  # in a formula
    if not isinstance(shape, (tuple, list)):  # only the method takes numbers
        raise_if(argument_error())
    x = input._data
    sizes = sizes_of((shape,), "reshape")
    if x.flags.c_contiguous and min(sizes, default=0) >= -1:
        return apply1(View(sizes), input)
    sizes = infer_shape(sizes, x.size)
    if viewable(x, sizes):
        return apply1(ReshapeAlias(sizes), input)
    if input._requires_grad and modes.grad:
        return _copied(input, sizes)
    return apply1(Reshape(sizes), input)


@reported_as("reshape")
def _copied(input: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """A copy in another shape, with the two nodes that PyTorch records."""
    copying = Clone()
    copying.memory_format = contiguous_format
    return apply1(UnsafeView(sizes), apply1(copying, input))


@method
def _tensor_reshape(self: Tensor, *sizes: Any, shape: Any = None) -> Tensor:
    """The same elements in another shape; see `torch.reshape`.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`; one size may be -1

    Example:
        >>> import edutorch as torch
        >>> torch.arange(6).reshape(2, -1)
        tensor([[0, 1, 2],
                [3, 4, 5]])
    """
    return reshape(self, sizes_of(sizes, "reshape") if shape is None else shape)


@method
def _tensor_view(
    self: Tensor, *shape: Any, dtype: Any = None, size: Any = None
) -> Tensor:
    """The same memory in another shape, or interpreted as another dtype.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> `shape`; one size may be -1

    Raises:
        RuntimeError: if the number of elements differs, or the memory has gaps that
            this shape would have to step over.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(6)
        >>> x.view(2, 3)[0, 0] = 9
        >>> x
        tensor([9, 1, 2, 3, 4, 5])
    """
    # Error messages read the arguments from this frame: keep names and values.
    alone = len(shape) == 1 and isinstance(shape[0], (dtypes.dtype, type))
    if dtype is not None or alone:
        kind = dtypes.of_python_type(shape[0] if dtype is None else dtype)
        return apply1(ViewDtype(kind), self)
    x = in_memory(self) if type(self) is ConjNegView else self._data
    if size is not None:
        check_named_sizes(size)
    sizes = sizes_of(shape if size is None else (size,), "view")
    if x.flags.c_contiguous and min(sizes, default=0) >= -1:
        return apply1(View(sizes), self)
    sizes = infer_shape(sizes, x.size)
    if not viewable(x, sizes):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least "
            "one dimension spans across two contiguous subspaces). Use .reshape(...) "
            "instead."
        )
    return apply1(View(sizes), self)


class ViewDtype(Op):
    """The same bytes interpreted as another dtype.

    Math: y = the bits of x, read as another type; no derivative
    """

    backward_in_single = False
    attributes = ("dtype",)
    is_view = True
    keeps_elements = False
    saves = ()
    differentiable = False

    def __init__(self, dtype: dtypes.dtype) -> None:
        self.dtype = dtype

    def check(self, x: Tensor) -> None:
        """Check that the last dimension divides evenly and is contiguous."""
        if x._conjugated or x._negated:
            what = (
                "conjugate view tensors"
                if x._conjugated
                else "tensors with negative bit set"
            )
            raise RuntimeError(
                f"torch.Tensor.view is not supported for {what} when converting to a "
                "different dtype."
            )
        new, old = self.dtype.itemsize, x._data.itemsize
        if new == old:
            return
        if not x._data.ndim:
            raise RuntimeError(
                f"self.dim() cannot be 0 to view {x.dtype.short} as {self.dtype.short} "
                "(different element sizes)"
            )
        if new > old and x._data.shape[-1] % (new // old):
            raise RuntimeError(
                f"self.size(-1) must be divisible by {new // old} to view "
                f"{x.dtype.short} as {self.dtype.short} (different element sizes), but "
                f"got {x._data.shape[-1]}"
            )
        kinds = f"{x.dtype.short} as {self.dtype.short} (different element sizes)"
        if new > old and x.storage_offset() % (new // old):
            raise RuntimeError(
                f"self.storage_offset() must be divisible by {new // old} to view "
                f"{kinds}, but got {x.storage_offset()}"
            )
        if not x._data.size:
            return  # NumPy does not keep strides of empty arrays
        if x.stride(-1) != 1:
            raise RuntimeError(
                f"self.stride(-1) must be 1 to view {kinds}, but got {x.stride(-1)}"
            )
        if new > old:
            _check_steps(x, new // old, kinds)

    def forward(self, x: Any) -> Any:
        return x.view(self.dtype.numpy)


def _check_steps(x: Tensor, n: int, kinds: str) -> None:
    """Raise if strides and offset do not fit larger elements."""
    for dim, step in enumerate(x.stride()[:-1]):
        if step % n:
            raise RuntimeError(
                f"self.stride({dim}) must be divisible by {n} to view {kinds}, but got "
                f"{step}"
            )


@method
def _tensor_view_as(self: Tensor, other: Tensor) -> Tensor:
    """A view of this tensor with the shape of `other`.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*), (+) -> (+), with equal numbers of elements

    Example:
        >>> import edutorch as torch
        >>> torch.arange(4).view_as(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return self.view(tensor_of(other, "view_as", "other")._data.shape)


@method
def _tensor_reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor in the shape of `other`; a view if possible.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*), (+) -> (+), with equal numbers of elements

    Example:
        >>> import edutorch as torch
        >>> torch.arange(4).reshape_as(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return reshape(self, tensor_of(other, "reshape_as", "other")._data.shape)


@public("flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim` merged into one.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (a, b, c) -> (a·b·c), or (a, b·c) with start_dim=1

    Raises:
        IndexError: if a dimension does not exist.
        RuntimeError: if `end_dim` comes before `start_dim`.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(4).reshape(2, 1, 2)
        >>> torch.flatten(x), torch.flatten(x, 1)
        (tensor([0, 1, 2, 3]), tensor([[0, 1],
                [2, 3]]))
    """
    started = events.clock() if events.hears_spans else 0
    n = ndim_of(input, "flatten")
    first, last = dim_of(start_dim, n, "flatten"), dim_of(end_dim, n, "flatten")
    shape = tuple(input.shape)
    if first > last:
        raise RuntimeError(
            "flatten() has invalid args: start_dim cannot come after end_dim"
        )
    result = input
    if first < last or not shape:
        merged = prod(shape[first : last + 1])
        result = reshape(input, (*shape[:first], merged, *shape[last + 1 :]))
    elif not isinstance(input, Tensor):
        raise type_error("Tensor", "input", input, "flatten")
    if started:
        events.span("aten::flatten", "op", started)
    return result


@public("ravel")
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension; a view if possible.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (*) -> (n)

    Example:
        >>> import edutorch as torch
        >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4])
    """
    tensor_of(input, "ravel")  # refuses anything other than a tensor
    return reshape(contiguous(input), (input._data.size,))


@public("unflatten")
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """Split one dimension into several.

    Math: y = x, in row-major order      ∂L/∂x = g in the old shape
    Shape: (.., a·b, ..) -> (.., a, b, ..)

    Raises:
        RuntimeError: if the sizes do not multiply to that of the dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.unflatten(torch.arange(4), 0, (2, -1))
        tensor([[0, 1],
                [2, 3]])
    """
    if hasattr(sizes, "__index__"):
        raise type_error("tuple of ints", "sizes", sizes, "unflatten")
    dim = dim_of(dim, ndim_of(input, "unflatten"), "unflatten")
    if not input.ndim:
        raise RuntimeError("unflatten got an unexpected error:")
    shape = tuple(input.shape)
    sizes = sizes_of((sizes,), "unflatten")
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) > 1:
        raise RuntimeError(
            "unflatten got an unexpected error:\nonly one dimension can be inferred"
        )
    for size in sizes:
        if size < -1:
            raise RuntimeError(
                f"unflatten got an unexpected error:\ninvalid shape dimension {size}"
            )
    known = prod(sizes) * (-1 if -1 in sizes else 1)
    if shape[dim] % known if -1 in sizes and known else known != shape[dim]:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of "
            f"dim {dim} ({shape[dim]}) in the input tensor"
        )
    cut = infer_shape(sizes, shape[dim])
    return input.view((*shape[:dim], *cut, *shape[dim + 1 :]))


class Expand(Op):
    """Repeats dimensions of size 1 without copying.

    Math: y = x, repeated      ∂L/∂x = Σ g over the repeats
    Shape: (*) -> `shape`
    """

    attributes = ("shape",)
    onnx = "Expand"
    is_view = True
    saves = ()

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        return broadcast(x, self.shape)

    def backward(self, g: Any) -> Any:
        return sum_to(g, self.old_shape)


def broadcast(x: Any, shape: tuple[int, ...]) -> Any:
    """A writable `np.broadcast_to`, faster for contiguous arrays."""
    if type(x) is not np.ndarray:
        return np.broadcast_to(x, shape)
    if not x.size:
        return np.broadcast_to(x, shape).copy()  # which is writable, too
    leading = len(shape) - x.ndim
    steps = [0] * leading
    for n, step, size in zip(x.shape, x.strides, shape[leading:], strict=True):
        steps.append(step if n == size else 0)
    if not x.flags.c_contiguous:
        return strided_view(x, shape, tuple(steps))
    return np.ndarray(shape, x.dtype, x, 0, steps)


def expand(x: Any, shape: tuple[int, ...]) -> Any:
    """`x` broadcast to `shape`, for formulas; the public `expand` is a method."""
    return apply1(Expand(shape), x)
