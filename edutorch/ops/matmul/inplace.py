"""What sums in place (`addmm_`, `addr_` ...) require of the tensor that is changed."""

from __future__ import annotations

from typing import Any

from ...autograd.inplace import check_memory
from ...tensor.tensor import Tensor

__all__: list[str] = []


def check_size(self: Tensor, result: Tensor) -> None:
    """Check that a tensor changed in place has the shape of the sum.

    Raises:
        RuntimeError: for a summand that would broadcast.
    """
    if self._data.shape != result._data.shape:
        raise RuntimeError(
            f"Bad in-place call: input tensor size {list(self._data.shape)} and output "
            f"tensor size {list(result._data.shape)} should match"
        )


def check_size_and_memory(self: Tensor, result: Tensor) -> None:
    """The same, and that no elements share memory, which BLAS writes to more than once.

    Raises:
        RuntimeError: for a summand that would broadcast, and for expanded memory.
    """
    check_size(self, result)
    check_memory(self)


def refuse_addmm_size(
    self: Tensor, mat1: Any, mat2: Any, *old: Any, **scales: Any
) -> None:
    """Raise for a shape that `addmm_` refuses before it adds."""
    mats = [m for m in (mat1, mat2) if isinstance(m, Tensor) and m.ndim == 2]
    same = len({m.dtype for m in (self, *mats)}) == 1
    if same and len(mats) == 2 and mats[0].shape[1] == mats[1].shape[0]:
        check_size(self, mats[0].new_empty((mats[0].shape[0], mats[1].shape[1])))


def resize_to_sum(self: Tensor, result: Tensor) -> None:
    """Give a tensor changed in place the shape of the sum, and check its memory."""
    if self._data.shape != result._data.shape and not self.is_meta:
        grown: Any = self.detach()
        self._data = grown.resize_(result._data.shape)._data
    check_memory(self)


def _need_matrix(input: Tensor, n: int, m: int) -> None:
    """Check that a matrix that is to be written to has the shape of the sum.

    Raises:
        RuntimeError: for other numbers of dimensions or sizes.
    """
    if input.ndim != 2:
        raise RuntimeError(f"2D tensor expected, got {input.ndim}D tensor for input")
    if input.shape != (n, m):
        raise RuntimeError(
            f"size mismatch, input: {list(input.shape)}, v1: [{n}], v2: [{m}]"
        )


def check_addr_size(self: Tensor, result: Tensor) -> None:
    """Check the shape and memory of a matrix plus a product of vectors, in place.

    Raises:
        RuntimeError: for other shapes, and for expanded memory.
    """
    _need_matrix(self, *result.shape)
    check_memory(self)


def refuse_addr_size(
    self: Tensor, vec1: Any, vec2: Any, *old: Any, **scales: Any
) -> None:
    """Raise for a shape that `addr_` refuses before scales and sums."""
    if getattr(vec1, "ndim", 0) == getattr(vec2, "ndim", 0) == 1:
        _need_matrix(self, len(vec1), len(vec2))
