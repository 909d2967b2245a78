"""Copies of a tensor with one part replaced: the scatter variants of views."""

from __future__ import annotations

from typing import Any

from ...autograd.batched_tensor import Batched, batched_like, forbid_fallback
from ...autograd.dispatch import Op, apply2, record
from ...autograd.memory_overlap import overlaps_itself, refuse_repeated
from ...autograd.modes import enable_grad, modes, no_grad
from ...backends import array_module
from ...layouts import contiguous_format
from ...tensor.geometry import Geometry, out_of_bounds
from ...tensor.storage import byte_range, strided_view
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import refuse_complex_gradients, tensor_of
from ..argument_errors import check_call, parser_errors
from ..convert.copy_fill import as_new, clone, refuse_integer_gradients
from ..create.like import zeros_like
from ..create.strided import copy_with_strides
from ..dims import dim_of, ndim_of
from ..registration import composite, copyto, public
from .diagonals import diagonal
from .slices import select, slice_dim
from .strides import as_strided, strided_geometry

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


def _copied(input: Tensor, src: Tensor) -> Tensor:
    """A copy with the strides of the input, gaps in its memory included."""
    x = batched_like(input, (src,))
    copied = clone(x)
    if copied.stride() == x.stride() or type(x) is Batched or overlaps_itself(x._data):
        return copied
    return copy_with_strides(x, x.stride())


class ViewScatter(Op):
    """A copy with one part replaced, the part given by a view.

    Math: y = x, view(y) = src      ∂L/∂x = g, 0 there      ∂L/∂src = view(g)
    """

    saves = ()

    def __init__(self, kind: str, view: Any, dtype: Any) -> None:
        self.kind, self.view, self.dtype = kind, view, dtype

    def name(self) -> str:
        """PyTorch's name of the node."""
        return f"{self.kind}Backward0"

    def backward(self, g: Any) -> Any:
        gradient = g if isinstance(g, Tensor) else wrap(g, self.device)
        part = self.view(gradient).to(self.dtype)
        outside = None
        if self.needs[0]:
            zeros = zeros_like(self.view(gradient))
            outside = _replace_view(self.kind, gradient, zeros, self.view)
        found = outside, part
        return (
            found
            if gradient is g
            else tuple(t if t is None else t._data for t in found)
        )


def _replace_view(kind: str, input: Tensor, src: Tensor, view: Any) -> Tensor:
    """A copy of `input` with `src` written through a view of it."""
    batched = type(input) is Batched or type(src) is Batched
    with enable_grad() if batched and modes.grad else no_grad():
        copied = _copied(input, src)
        part = view(copied)
        _check_size(src, part._data.shape)
        part.copy_(src)
    if not batched:
        node = ViewScatter(kind, view, src.dtype)
        record(node, (input, src), (copied,), False)
    refuse_integer_gradients(copied, src)
    return as_new(copied)


def _check_size(src: Tensor, shape: tuple[int, ...]) -> None:
    if tensor_of(src, argument="src")._data.shape != shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = "
            f"{list(src._data.shape)}, slice size = {list(shape)}"
        )


@public("select_scatter")
@composite
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy with one entry along a dimension replaced by `src`.

    Math: y = x, y[.., index, ..] = src      ∂L/∂x = g, 0 there      ∂L/∂src = g there
    Shape: (.., n, ..), (.., ..) -> (.., n, ..)

    Raises:
        RuntimeError: if `src` has another shape than the entry.

    Example:
        >>> import edutorch as torch
        >>> torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1)
        tensor([[0., 0.],
                [1., 1.]])
    """

    def view(x: Tensor) -> Tensor:
        return select(x, dim, index)

    result = _replace_view("SelectScatter", input, src, view)
    refuse_complex_gradients("select_scatter", result)
    return result


@public("slice_scatter")
@composite
@parser_errors
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None,
    end: int | None = None, step: int = 1, *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A copy with a range of entries along a dimension replaced by `src`.

    Math: y = x, y[.., start:end:step, ..] = src
          ∂L/∂x = g, 0 there      ∂L/∂src = g there
    Shape: (.., n, ..), (.., k, ..) -> (.., n, ..), k the length of the range

    Raises:
        RuntimeError: if `src` has another shape than the range.
        IndexError: if there is no such dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.slice_scatter(torch.zeros(4), torch.ones(2), start=1, end=3)
        tensor([0., 1., 1., 0.])
    """
    check_call(bool not in map(type, (start, end, step)))
    if not ndim_of(input, "slice_scatter"):
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = dim_of(dim, input.ndim, "slice_scatter")
    first, last, step = slice(start, end, step).indices(input.shape[dim])

    def view(x: Tensor) -> Tensor:
        return slice_dim(x, dim, first, max(first, last), step)

    result = _replace_view("SliceScatter", input, src, view)
    refuse_complex_gradients("slice_scatter", result)
    return result if out is None else copyto(out, result, "slice_scatter", (input, src))


@public("diagonal_scatter")
@composite
def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """A copy with a diagonal replaced by `src`.

    Math: y = x, diagonal(y) = src      ∂L/∂x = g, 0 there      ∂L/∂src = g there
    Shape: (n, m), (min(n, m)) -> (n, m) for offset 0

    Raises:
        RuntimeError: if `src` has another shape than the diagonal.

    Example:
        >>> import edutorch as torch
        >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
        tensor([[1., 0.],
                [0., 1.]])
    """

    def view(x: Tensor) -> Tensor:
        return diagonal(x, offset, dim1, dim2)

    return _replace_view("DiagonalScatter", input, src, view)


class AsStridedScatter(Op):
    """Replaces a part of a tensor's storage; see `as_strided_scatter`."""

    attributes = ("size", "stride", "offset")
    saves = ()
    forward_in_single = False
    complex32 = "single"

    def __init__(
        self, size: tuple[int, ...], stride: tuple[int, ...], offset: int | None
    ) -> None:
        self.size, self.stride, self.offset = size, stride, offset

    def forward(self, x: Any, src: Any) -> Any:
        if overlaps_itself(x):
            x = x.copy()
        own, size = Geometry.of(x), x.itemsize
        count = (
            byte_range(x)[1] // size
        )  # an offset counts from the storage's beginning
        storage = strided_view(x, (count,), (size,), 0).copy()
        Geometry(self.size, self.stride, self._from(own.offset)).view_of(storage)[
            ...
        ] = src
        return own.view_of(storage)

    def _from(self, start: int) -> int:
        return start if self.offset is None else self.offset

    def backward(self, g: Any) -> Any:
        own = clone(g, memory_format=contiguous_format)  # a storage of its own
        return (
            g * self._mask(g) if self.needs[0] else None,
            as_strided(own, self.size, self.stride, self._from(0)),
        )

    def _mask(self, g: Any) -> Any:
        """A mask of the elements that were replaced; in forward mode, of the others.

        The first are those to which PyTorch's backward pass gives the gradient.
        """
        array = g._data if isinstance(g, Tensor) else g
        mask = array_module(array).full(array.shape, modes.forward, array.dtype)
        replaced = Geometry(self.size, self.stride, self._from(0)).view_of(mask)
        replaced[...] = not modes.forward
        return mask


@public("as_strided_scatter")
@parser_errors
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Any,
    stride: Any,
    storage_offset: int | None = None,
) -> Tensor:
    """A copy with the elements given by shape, strides and offset replaced by `src`.

    The gradient of `input` is PyTorch's, which is not the derivative of these values:
    it is g where elements were replaced and 0 elsewhere, and a replaced element
    changes nothing. The derivative is g elsewhere and 0 where elements were replaced.

    Math: y = src at offset + Σ strideₖ · iₖ, elsewhere x
          gx = g where replaced, else 0      ∂L/∂src = g there
    Shape: (*), `size` -> (*)

    Raises:
        RuntimeError: if `src` has another shape, or `input` needs a gradient and is
            not contiguous.

    Example:
        >>> import edutorch as torch
        >>> torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,))
        tensor([1., 0., 1., 0.])
    """
    if type(input) is Batched or type(src) is Batched:
        raise forbid_fallback(
            RuntimeError(
                "Error: aten::as_strided_scatter requires special handling, and does "
                "not yet have a batching rule. Feel free to file a github issue!"
            )
        )
    shape, strides = strided_geometry(size, stride, storage_offset)
    if overlaps_itself(input._data) and not input.requires_grad:
        input = clone(input)  # with memory for each element
    _check_storage(input._data, shape, strides, storage_offset)
    _check_size(src, shape)
    refuse_repeated(shape, strides)
    if input.requires_grad and not input.is_contiguous():
        raise RuntimeError(
            "!self.requires_grad() || self.is_contiguous() INTERNAL ASSERT FAILED: "
            "as_strided_scatter is currently only supported for contiguous inputs"
        )
    result = apply2(AsStridedScatter(shape, strides, storage_offset), input, src)
    refuse_integer_gradients(result, src)
    return result


def _check_storage(x: Any, shape: Any, strides: Any, offset: int | None) -> None:
    """Raise for elements beyond the end of an array's memory."""
    cells = Geometry(
        shape, strides, Geometry.of(x).offset if offset is None else offset
    )
    nbytes = byte_range(x)[1]
    if 0 not in shape and cells.reach * x.itemsize > nbytes:
        raise out_of_bounds(cells, x.itemsize, nbytes)
