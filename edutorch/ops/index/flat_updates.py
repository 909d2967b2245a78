"""Overwrites elements of the flattened tensor: `put`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.batched_tensor import batched_like
from ...autograd.inplace import check_memory, check_writable, overwrite
from ...autograd.memory_overlap import refuse_overlap
from ...autograd.save_for_backward import save_version
from ...tensor.tensor import Tensor
from ..argument_checks import need_one_device, tensor_of, type_error
from ..convert.copy_fill import as_new, clone
from ..registration import attach, public
from .advanced import IndexPut
from .gathering import check_long, check_take

__all__ = ["put"]


class Put(IndexPut):
    """Overwrites or increments elements of the flattened tensor.

    Math: x.flat[index] <- v      ∂L/∂x = g, 0 at the index      ∂L/∂v = g.flat[index]
          with accumulate: x.flat[index] += v      ∂L/∂x = g
    """

    writes_over_itself = False

    def forward(self, x: Any, v: Any, *indices: Any) -> Any:
        super().forward(x.reshape(x.shape or (1,)), v, *indices)
        return x

    def backward(self, g: Any) -> Any:
        gx, *others = super().backward(g.reshape(g.shape or (1,)))
        return gx if gx is None else gx.reshape(g.shape), *others


@public("put_")
def _tensor_put_(
    self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False
) -> Tensor:
    """Overwrite or increment elements of the flattened tensor in place.

    Math: x.flat[index[i]] <- source[i]
          ∂L/∂x = g, 0 where written      ∂L/∂source[i] = g.flat[index[i]]
    Shape: (*), (k), (k) -> (*)

    Raises:
        IndexError: for elements that are not there.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2, 2).put_(torch.tensor([3]), torch.tensor([1.0]))
        tensor([[0., 0.],
                [0., 1.]])
    """
    index, source = _operands("put_", index, source, accumulate)
    check_writable(self, memory=False)
    need_one_device("__put_", self, index=index, source=source)
    _check_put(self, index, source)
    places = np.unravel_index(
        index._data % max(self.numel(), 1), self._data.shape or (1,)
    )
    values = source.reshape(index._data.shape)
    op = Put(tuple(range(len(places))), accumulate)
    overwrite(self, op, values, *places)
    if self._grad_fn is op:
        save_version(self, index)
        if source.requires_grad:
            save_version(self, source)
    return self


def _operands(
    name: str, index: Any, source: Any, accumulate: Any
) -> tuple[Tensor, Tensor]:
    """The tensors of `put` and `put_`, whose arguments have these types."""
    if accumulate is not False and accumulate is not True:
        raise type_error("bool", "accumulate", accumulate, name)
    return tensor_of(index, name, "index"), tensor_of(source, name, "source")


def _check_put(x: Tensor, index: Tensor, source: Tensor) -> None:
    """Check the operands of `put_`, in PyTorch's order."""
    check_long("put_", index)
    if source._data.dtype != x._data.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got "
            f"self.dtype = {x.dtype.short} and source.dtype = {source.dtype.short}"
        )
    if source.numel() != index.numel():
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, "
            f"but got source.numel() = {source.numel()}, "
            f"index.numel() = {index.numel()}"
        )
    if index.numel() and not x.numel():
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    check_memory(x)
    refuse_overlap(x, (index, source))
    check_take("put_", x, index)


def put(
    input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False
) -> Tensor:
    """A copy in which elements of the flattened tensor are overwritten.

    Math: y = x, y.flat[index[i]] = source[i]
          ∂L/∂x = g, 0 where written      ∂L/∂source[i] = g.flat[index[i]]
    Shape: (*), (k), (k) -> (*)

    Raises:
        IndexError: for elements that are not there.

    Example:
        >>> import edutorch as torch
        >>> torch.put(torch.zeros(3), torch.tensor([1]), torch.tensor([4.0]))
        tensor([0., 4., 0.])
    """
    index, source = _operands("put", index, source, accumulate)
    result = clone(batched_like(input, (index, source)))
    return as_new(_tensor_put_(result, index, source, accumulate))


attach(put=put)
