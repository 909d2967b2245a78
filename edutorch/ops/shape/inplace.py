"""In-place changes of shape: the tensor becomes another view of its memory."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...autograd.dispatch import Op, record
from ...autograd.inplace import alias_with_history, check_writable, rebase_history
from ...autograd.modes import modes
from ...autograd.view_history import keep_place
from ...tensor import tensor as tensors
from ...tensor.conj_neg_view import ConjNegView, in_memory, view_with_history
from ...tensor.geometry import Geometry
from ...tensor.storage import Storage, strided_view
from ...tensor.tensor import Tensor, bare_tensor
from ...tensor.typed_storage import TypedStorage
from ..argument_checks import tensor_of, type_error
from ..argument_errors import argument_error, check_call
from ..dims import ABSENT, sizes_of
from ..registration import public
from .squeezing import squeeze, unsqueeze
from .strides import as_strided, strided_geometry
from .transposing import t, transpose

__all__ = ["resize_as_"]


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of a tensor without gaps."""
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))


# The increase of PyTorch's number of a node for a change in place.
IN_PLACE = {"T": 1, "Transpose": 1, "Unsqueeze": 1, "Squeeze": 3, "AsStrided": 1}


def _number(node: Any) -> None:
    if hasattr(node, "form"):
        node.form += IN_PLACE.get(node.torch_name, 0)
    else:
        node.overload += IN_PLACE.get(node.torch_name, 0)


def become_view(self: Tensor, function: Callable[..., Tensor], *args: Any) -> Tensor:
    """Make a tensor the view of itself that `function` returns."""
    if self._requires_grad or self._inference or self._base is not None:
        check_writable(self, overlapping=True)
    old = alias_with_history(self, direct=False)
    old._base, old._storage = self._base, self.untyped_storage()
    old._views, old._seen = self._views, self._seen
    if type(self) is ConjNegView:
        old = view_with_history(self, old)
    new = function(old, *args)
    keep_place(self)
    self._data = in_memory(new)
    if new._requires_grad:
        self._grad_fn, self._output_nr = new._grad_fn, new._output_nr
        _number(new._grad_fn)
    if self._base is not None and all(step.keeps_elements for step in self._views):
        self._views = new._views
        self._views[-1].creation_mode = ""  # the view itself is at the old offset
    storage = self.untyped_storage()
    storage.version += 1
    if self._base is not None and modes.grad:
        self._seen = storage.version  # the new node includes this change
    return self


@public("transpose_", "swapdims_")
def _tensor_transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two dimensions of this tensor in place.

    Math: x[..i..j..] <- x[..j..i..]      ∂L/∂x = g with them swapped back
    Shape: (.., n, .., m, ..) -> (.., m, .., n, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2, 3]]).transpose_(0, 1)
        tensor([[1],
                [2],
                [3]])
    """
    return become_view(self, transpose, dim0, dim1)


@public("swapaxes_")
def _tensor_swapaxes_(self: Tensor, axis0: int, axis1: int) -> Tensor:
    """Swap two dimensions of this tensor in place.

    Math: x[..i..j..] <- x[..j..i..]      ∂L/∂x = g with them swapped back
    Shape: (.., n, .., m, ..) -> (.., m, .., n, ..)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2, 3]]).swapaxes_(0, 1)
        tensor([[1],
                [2],
                [3]])
    """
    return become_view(self, transpose, axis0, axis1)


@public("t_")
def _tensor_t_(self: Tensor) -> Tensor:
    """Transpose this matrix, in place.

    Math: x[i, j] <- x[j, i]      ∂L/∂x = gᵀ
    Shape: (n, m) -> (m, n)

    Raises:
        RuntimeError: for more than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2, 3]]).t_()
        tensor([[1],
                [2],
                [3]])
    """
    if self._requires_grad or self._base is not None:
        check_writable(self, overlapping=True)
    if self.ndim > 2:
        raise RuntimeError(
            f"t_() expects a tensor with <= 2 dimensions, but self is {self.ndim}D"
        )
    return become_view(self, t)


@public("unsqueeze_")
def _tensor_unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """Add a dimension of size 1 to this tensor in place.

    Math: x <- x with a dimension of size 1      ∂L/∂x = g in the old shape
    Shape: (n, m) -> (1, n, m) for dim 0

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1, 2]).unsqueeze_(1)
        tensor([[1],
                [2]])
    """
    return become_view(self, unsqueeze, dim)


@public("squeeze_")
def _tensor_squeeze_(self: Tensor, dim: Any = ABSENT, *more: Any) -> Tensor:
    """Remove dimensions of size 1 from this tensor in place.

    Math: x <- x without dimensions of size 1      ∂L/∂x = g in the old shape
    Shape: (1, n, 1) -> (n)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2]]).squeeze_()
        tensor([1, 2])
    """
    return become_view(self, squeeze, dim, *more)


@public("as_strided_")
def _tensor_as_strided_(
    self: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """Give this tensor another shape and other strides in its storage, in place.

    Math: x <- its elements at offset + Σ strideₖ · iₖ
          ∂L/∂storage = Σ g over what reaches it
    Shape: (*) -> `size`

    Example:
        >>> import edutorch as torch
        >>> torch.arange(4).as_strided_((2,), (2,))
        tensor([0, 2])
    """
    return become_view(self, as_strided, size, stride, storage_offset)


@public("resize_")
def _tensor_resize_(
    self: Tensor,
    *sizes: Any,
    size: Any = None,
    memory_format: Any = tensors.contiguous_format,
) -> Tensor:
    """Resize this tensor in row-major order, with more memory if necessary.

    Existing elements stay in memory order; new ones are uninitialised.

    Shape: (*) -> size

    Raises:
        RuntimeError: for tensors that require grad, or sizes below zero.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2], [3, 4]]).resize_(3)
        tensor([1, 2, 3])
    """
    if self._requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    shape = sizes_of(sizes if size is None else (size,), "resize_")
    if shape and min(shape) < 0:
        raise RuntimeError("numel: integer multiplication overflow")
    if shape != self._data.shape:
        steps = row_major(shape)
        if memory_format in (tensors.channels_last, tensors.channels_last_3d):
            n, c, *space = shape
            last = row_major((n, *space, c))
            steps = (last[0], last[-1], *last[1:-1])
        resize_storage(self, Geometry(shape, steps, self.storage_offset()))
        _count_change(self)
        self.untyped_storage().version += 1
    return self


def _count_change(self: Tensor) -> None:
    """Refuse, after the change as PyTorch does, tensors that do not count changes."""
    if self._inference:
        check_writable(self, overlapping=True)


def resize_storage(self: Tensor, cells: Geometry) -> None:
    """Make a tensor refer to other elements of its storage, which grows if necessary.

    Raises:
        RuntimeError: for memory that cannot grow, such as NumPy's.
    """
    storage, dtype = self.untyped_storage(), self._data.dtype
    nbytes = cells.reach * dtype.itemsize
    if 0 not in cells.shape and nbytes > storage.nbytes:
        storage.resize_(nbytes)
    self._data = cells.view_of(storage.array, dtype)


@public("resize_as_")
def resize_as_(
    input: Tensor,
    the_template: Tensor,
    *,
    memory_format: Any = tensors.contiguous_format,
) -> Tensor:
    """Resize a tensor to the shape of another one in place.

    Shape: (*) -> that of the other tensor

    Example:
        >>> import edutorch as torch
        >>> torch.resize_as_(torch.arange(4), torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    shape = tensor_of(the_template, "resize_as_", "the_template")._data.shape
    return _tensor_resize_(tensor_of(input, "resize_as_"), shape)


@public("fill_diagonal_")
def _tensor_fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write a value to the main diagonal in place.

    Math: x[i, .., i] <- value      ∂L/∂x = g, 0 on the diagonal
    Shape: (n, m) -> (n, m)

    Args:
        wrap: whether the diagonal of a tall matrix begins anew, one row further.

    Raises:
        RuntimeError: for vectors, and more than two dimensions of different sizes.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2, 2).fill_diagonal_(5)
        tensor([[5., 0.],
                [0., 5.]])
    """
    if wrap is not False and wrap is not True:
        raise type_error("bool", "wrap", wrap, "fill_diagonal_")
    shape, steps = self.shape, self.stride()
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    step, n, start = sum(steps), min(shape), self.storage_offset()
    as_strided(self, (n,), (step,), start).fill_(fill_value)
    rows, columns = shape[:2]
    while wrap and len(shape) == 2 and rows > columns + 1:
        start, rows = start + steps[0] * (columns + 1), rows - columns - 1
        as_strided(self, (min(rows, columns),), (step,), start).fill_(fill_value)
    return self


@public("set_")
def _tensor_set_(
    self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None,
    stride: Any = None,
) -> Tensor:  # fmt: skip
    """Make this tensor share the memory of another tensor, or a storage, in place.

    Shape: (*) -> that of the source, or `size`

    Args:
        storage_offset: where to begin, in elements, if `size` is given.
        size: the shape; by default that of the tensor, or all of the storage.
        stride: by default in row-major order.

    Raises:
        RuntimeError: for another dtype or device, and beyond the storage.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2).set_(torch.zeros(3))
        tensor([0., 0., 0.])
    """
    if source is None:
        check_call(False)  # which knows whether None was given
        source = Storage(0, self._device)
    check_call(not isinstance(storage_offset, Tensor))
    if isinstance(source, TypedStorage):
        source = source.untyped()
    if not isinstance(source, (Tensor, Storage)):
        raise argument_error() or TypeError(
            "set_() received an invalid combination of arguments - got "
            f"({type(source).__name__}), but expected one of:"
        )
    _check_source(self, source)
    if size is not None:
        shape = sizes_of((size,), "set_")
        steps = row_major(shape) if stride is None else sizes_of((stride,), "set_")
        cells = Geometry(
            *strided_geometry(shape, steps, storage_offset), storage_offset
        )
    elif isinstance(source, Tensor):
        cells = Geometry.of(source._data).at(source.storage_offset())
    else:
        cells = Geometry((source.nbytes // self._data.itemsize,), (1,), 0)
    if self._requires_grad:
        check_writable(self, overlapping=True)
    given = isinstance(source, Tensor) and source._requires_grad
    history = self._grad_fn is not None or (given and not self._requires_grad)
    operand = alias_with_history(self) if modes.grad and history else None
    storage = source.untyped_storage() if isinstance(source, Tensor) else source
    old, before = self.untyped_storage(), self._version
    keep_place(self)
    if self._base is not None:  # no longer where the last change of the base was
        self._views = (*self._views,)
    self._data = strided_view(storage.array, (0,), (1,), 0, self._data.dtype)
    # A view of the same memory as before keeps the version that it shares.
    same = storage.array is old.array
    self._storage, self._device = old if same else storage.sibling(), storage.device
    resize_storage(self, cells)
    made: Tensor = bare_tensor(Tensor, self._data, self._device)
    if operand is not None:
        record(NotImplementedNode(), (operand, source), (made,), False)
    _count_change(self)
    self._storage.version = old.version = before + 1  # also for views of the old memory
    if operand is not None:
        rebase_history(self, made)
    return self


def _check_source(self: Tensor, source: Any) -> None:
    """Raise for memory of another dtype or device."""
    if isinstance(source, Tensor) and source._data.dtype != self._data.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {source.dtype.c_name} to a tensor of type "
            f"{self.dtype.c_name}"
        )
    if source.device != self._device:
        raise RuntimeError(
            f'Attempted to set the storage of a tensor on device "{self._device}" to a '
            f'storage on different device "{source.device}".  This is no longer '
            "allowed; the devices must match."
        )


class NotImplementedNode(Op):
    """The node of a change without derivative, as in PyTorch.

    Math: y = the elements of another memory; no derivative
    """

    saves = ()

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "torch::autograd::NotImplemented"

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for set_ is not implemented")
