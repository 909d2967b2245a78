"""Copies a tensor, or overwrites its values."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ... import dtypes, events, layouts
from ...autograd.batched_tensor import Batched
from ...autograd.dispatch import Op, apply1
from ...autograd.inplace import overwrite
from ...autograd.modes import modes
from ...autograd.op_errors import broadcast_error
from ...backends import array_module
from ...backends.sparse import SparseArray
from ...devices import CPU
from ...errors import raise_if
from ...kernels.casts import copy_into
from ...kernels.float8 import to_float8
from ...kernels.memory_format import match_exact_strides, match_strides
from ...tensor import tensor as tensors
from ...tensor.complex_parts import without_imag
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import tensor_of, type_error
from ..argument_errors import argument_error
from ..dims import ndim_of
from ..number_ranges import checked_number, overflow_error
from ..registration import method, public

__all__ = ["clone", "fill", "fill_", "zero_"]


def zeros_of(g: Any) -> Any:
    """Zeros like `g`, an array or a tensor, for formulas."""
    if isinstance(g, Tensor):
        xp = array_module(g._data)  # inside vmap, of one sample: all are equal
        return wrap(xp.zeros(g._data.shape, g._data.dtype), g._device)
    return np.zeros_like(g)


def as_new(result: Tensor) -> Tensor:
    """A result that was written in place before any program could see it."""
    if type(result) is not Batched:
        result.untyped_storage().version = 0
    return result


def skip_copy(result: Tensor) -> Tensor:
    """Let gradients skip the copy that was changed: there is one node in PyTorch."""
    node: Any = result._grad_fn
    if node is not None and type(result) is not Batched:
        copied = node.edges[0]
        if isinstance(copied, Clone):
            node.edges = (*copied.edges, *node.edges[1:])
            if copied.edge_nrs[0]:
                node.edge_nrs = (copied.edge_nrs[0], *node.edge_nrs[1:])
    return as_new(result)


def writable_copy(x: Any, order: str = "K") -> Any:
    """A writable copy of an array or NumPy scalar; in order "K", as a clone lies."""
    if order == "K" and x.size and has_repeats(x):
        return match_strides(x, x)
    return array_module(x).array(x, order=order)


def has_repeats(x: Any) -> bool:
    """Whether an array shows an element several times along a dimension."""
    return not all(x.strides) and any(
        step == 0 and n > 1 for step, n in zip(x.strides, x.shape, strict=True)
    )


def copy_in_order(x: Any, memory_format: Any) -> Any:
    """A copy of an array with its elements in the given memory order."""
    if memory_format is tensors.preserve_format:
        if x.size and has_repeats(x):
            return match_strides(x, x)
        y = x.copy(order="K")
        return match_exact_strides(y, x) if 1 in x.shape else y
    _check_rank(x.ndim, memory_format)
    if memory_format in (tensors.channels_last, tensors.channels_last_3d):
        last = (0, *range(2, x.ndim), 1)
        first = (0, x.ndim - 1, *range(1, x.ndim - 1))
        return x.transpose(last).copy().transpose(first)  # (N, C, *S), C fastest
    return x.copy(order="C")


def _check_rank(ndim: int, memory_format: Any) -> None:
    if not isinstance(memory_format, layouts.memory_format):
        raise type_error("torch.memory_format", "memory_format", memory_format)
    rank = {tensors.channels_last: 4, tensors.channels_last_3d: 5}.get(memory_format)
    if rank not in (None, ndim):
        raise RuntimeError(
            f"required rank {rank} tensor to use {memory_format.name} format"
        )


class Clone(Op):
    """A copy.

    Math: y = x      ∂L/∂x = g
    """

    takes_float8 = True
    forward_in_single = False
    backward_in_single = False
    attributes: ClassVar[tuple[str, ...]] = ("memory_format",)
    onnx = "Identity"
    saves = ()
    memory_format: Any = tensors.preserve_format

    def forward(self, x: Any) -> Any:
        return copy_in_order(x, self.memory_format)

    def backward(self, g: Any) -> Any:
        return g


@public("clone")
def clone(input: Tensor, *, memory_format: Any = tensors.preserve_format) -> Tensor:
    """A copy with its own memory; gradients flow through it.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Args:
        memory_format: the order of the copy in memory; by default as in `input`.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> y = x.clone()
        >>> y[0] = 5
        >>> x
        tensor([1., 2.])
    """
    op = Clone()
    if memory_format is not tensors.preserve_format and memory_format is not None:
        _check_rank(ndim_of(input, "clone"), memory_format)
        op.memory_format = memory_format
    return apply1(op, input)


@public("contiguous")
def contiguous(input: Tensor, memory_format: Any = tensors.contiguous_format) -> Tensor:
    """The tensor itself if it has this memory format, else a copy.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for a format of another number of dimensions.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, 3).t()
        >>> x.is_contiguous(), x.contiguous().is_contiguous()
        (False, True)
    """
    _check_rank(input.ndim, memory_format)
    if input.is_contiguous(memory_format=memory_format):
        return input
    started = events.clock() if events.hears_spans else 0
    result = clone(input, memory_format=memory_format)
    if started:
        events.span("aten::contiguous", "op", started)
    return result


class Copy(Op):
    """Overwrites a tensor with the elements of another.

    Math: x <- v, broadcast      ∂L/∂x = 0      ∂L/∂v = g
    """

    saves = ()
    writes_over_itself = False
    reads_lazily = True  # conjugates and negatives, where they are in memory

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "torch::autograd::CopyBackwards"

    def check(self, x: Tensor, v: Any) -> None:
        """Check that the source broadcasts to the shape of the target."""
        check_broadcasts(v, x)

    def forward(self, x: Any, v: Any) -> Any:
        if v.dtype is x.dtype:
            np.copyto(x, v)
            return x
        v = without_imag(v, x.dtype)
        if x.dtype in dtypes.FLOAT8:
            v = to_float8(v, x.dtype)
        with np.errstate(all="ignore"):
            copy_into(x, v)
        return x

    def backward(self, g: Any) -> Any:
        return zeros_of(g) if self.needs[0] else None, g


def check_broadcasts(v: Any, x: Tensor) -> None:
    """Check that `v` broadcasts to the shape of `x`.

    Raises:
        RuntimeError: if it does not.
    """
    small, large = v.shape, x._data.shape
    if small == large:
        return
    raise_if(broadcast_error([large, tuple(small)]))
    shape = np.broadcast_shapes(small, large)
    if shape != tuple(large):
        raise RuntimeError(
            f"output with shape {list(large)} doesn't match the broadcast shape "
            f"{list(shape)}"
        )


@method
def _tensor_copy_(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """Overwrite this tensor with the elements of `other`, converted and broadcast.

    Math: x <- v      ∂L/∂x = 0      ∂L/∂v = g
    Shape: (*), what broadcasts to it -> (*)

    Raises:
        RuntimeError: if `other` does not broadcast to this shape.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(3).copy_(torch.tensor([1, 2, 3]))
        tensor([1., 2., 3.])
    """
    if non_blocking is not False and non_blocking is not True:
        raise type_error("bool", "non_blocking", non_blocking, "copy_")
    if isinstance(other, (int, float, complex, np.generic)):
        kind = self._data.dtype.kind
        other = other if kind in "cW" else other != 0 if kind == "b" else other.real
        other = wrap(np.asarray(other, self._host_array().dtype))
    if not isinstance(other, Tensor):
        raise argument_error() or TypeError(
            f"copy_(): argument 'other' (position 1) must be Tensor, not "
            f"{type(other).__name__}"
        )
    if other._device is not self._device:
        waits = self._device is CPU and not self.is_pinned()
        async_ = non_blocking and not waits
        other = other.to(self._device, non_blocking=async_)  # attached by ops
    op = Copy()
    if other is self or is_same_data(other, self):  # then nothing is written
        op.writes_over_itself = True
    return overwrite(self, op, other)


def is_same_data(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are the same view of the same memory, as in `x[i] += 1`."""
    if a._storage is None or a._storage is not b._storage or type(a) is not type(b):
        return False
    x, y = a._data, b._data
    same = x.shape == y.shape and x.dtype == y.dtype
    if same and x.strides != y.strides:  # but for dimensions of size 1
        same = all(
            n == 1 or i == k
            for n, i, k in zip(x.shape, x.strides, y.strides, strict=True)
        )
    if same and isinstance(x, SparseArray):
        return x is y
    return same and a.data_ptr() == b.data_ptr()


class Fill(Op):
    """Overwrites every element with one value.

    Math: x <- v      ∂L/∂x = 0      ∂L/∂v = Σ g
    """

    saves = ()
    writes_over_itself = True
    records_integers = True  # as in PyTorch, unlike `copy_`
    form = 2

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return (1,) if self.form in (0, 2) else ()

    def name(self) -> str:
        """PyTorch's name of the node, which differs for numbers and tensors."""
        return f"FillBackward{self.form}"

    def refuse_shared(self, x: Tensor, v: Any) -> None:
        """The value is read before anything is written, so it may lie in `x`."""

    def forward(self, x: Any, v: Any) -> Any:
        with np.errstate(all="ignore"):
            if hasattr(v, "dtype"):
                copy_into(x, v)
            else:
                x[...] = v
        return x

    def backward(self, g: Any) -> Any:
        gv = g.sum() if len(self.needs) > 1 and self.needs[1] else None
        return zeros_of(g) if self.needs[0] else None, gv


def checked_fill_value(value: Any, x: Tensor) -> Any:
    """Check a fill value, which is a number or a tensor without dimensions.

    Raises:
        RuntimeError: for a tensor with dimensions, or a number without place in the
            dtype of `x`.
    """
    if isinstance(value, Tensor):
        if value._data.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value._data.ndim} dimensions."
            )
        return value
    if not isinstance(value, (int, float, complex, np.generic)):
        raise argument_error() or TypeError(
            "fill_() received an invalid combination of arguments - got "
            f"({type(value).__name__}), but expected one of:"
        )
    return fill_number(value, x)


def fill_number(value: Any, x: Tensor) -> Any:
    """The number to fill `x` with, converted if necessary.

    Raises:
        RuntimeError: if the dtype of `x` cannot represent it.
    """
    try:
        return castable_number(value, x)
    except RuntimeError:
        if x._data.size == 1 and x.dtype.is_floating_point and x.dtype.itemsize == 2:
            raise overflow_error(dtypes.float64) from None  # which PyTorch converts to
        raise


def castable_number(value: Any, x: Tensor, dtype: Any = None) -> Any:
    """The number if the dtype of `x` can represent it, converted if necessary.

    Raises:
        RuntimeError: if it cannot.
    """
    return checked_number(value, dtype or x.dtype, single=x._data.size == 1)


def refuse_integer_gradients(result: Tensor, *sources: Any) -> None:
    """Raise for a result of integers that depends on values which require grad.

    In place, PyTorch accepts such values.

    Raises:
        RuntimeError: if a source requires grad.
    """
    if result._data.dtype.kind in "fcVW" or not modes.grad:
        return
    if any(isinstance(x, Tensor) and x.requires_grad for x in sources):
        raise RuntimeError(f"Autograd not support dtype: {result.dtype.short}")


@public("fill_")
def fill_(input: Tensor, value: Any) -> Tensor:
    """Overwrite every element with `value`, a number or a 0-d tensor.

    Math: x <- v      ∂L/∂x = 0      ∂L/∂v = Σ g
    Shape: (*), () -> (*)

    Raises:
        RuntimeError: for a tensor with dimensions, or a number the dtype cannot hold.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2).fill_(3)
        tensor([3., 3.])
    """
    if isinstance(value, Tensor):
        return fill_by_copy(input, value)
    return overwrite(input, Fill(), checked_fill_value(value, input))


def fill_by_copy(x: Tensor, value: Any) -> Tensor:
    """`fill_` with a tensor as in PyTorch, also for `x[...] = value`."""
    op = Fill()
    op.form, op.writes_over_itself = 3, False
    value = checked_fill_value(value, x)
    if isinstance(value, Tensor) and value._device.type == "cuda":
        value = value.to(x._device)  # a copy, unless it is on that device
    return overwrite(x, op, value)


def fill(input: Tensor, value: Any) -> Tensor:
    """A tensor like `input` with every element equal to `value`.

    Math: y = v      ∂L/∂x = 0      ∂L/∂v = Σ g
    Shape: (*), () -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.fill(torch.zeros(2), 3)
        tensor([3., 3.])
    """
    result = fill_(clone(input), value)
    refuse_integer_gradients(result, value)
    node = result._grad_fn
    if isinstance(node, Fill):
        node.form -= 2  # PyTorch's node has another number than that of `fill_`
    return skip_copy(result)


class Zero(Op):
    """Overwrites every element with zero.

    Math: x <- 0      ∂L/∂x = 0
    """

    saves = ()
    writes_over_itself = True

    def forward(self, x: Any) -> Any:
        x[...] = 0
        return x

    def backward(self, g: Any) -> Any:
        return zeros_of(g)


@public("zero_")
def zero_(input: Tensor) -> Tensor:
    """Overwrite every element with zero.

    Math: x <- 0      ∂L/∂x = 0
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2).zero_()
        tensor([0., 0.])
    """
    return overwrite(tensor_of(input, "zero_"), Zero())
