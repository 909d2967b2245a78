"""A hash of the elements of a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_kinds, type_error
from ..dims import ABSENT, axis_for, dims_of, ndim_of
from ..registration import copyto, public

__all__ = ["hash_tensor"]


class HashTensor(Op):
    """The exclusive or of the bits of all elements."""

    attributes = ("dim", "keepdim")
    differentiable = False

    def __init__(self, dim: tuple[int, ...] | None, keepdim: bool, given: Any) -> None:
        self.dim, self.keepdim = dim, keepdim
        self.given = given if isinstance(given, (tuple, list)) else (given,)

    def check(self, x: Tensor) -> None:
        """Raise for empty reductions and complex numbers."""
        if self.dim is None and not x._data.size:
            raise RuntimeError(
                "hash_tensor: Expected reduction dim to be specified for input.numel() "
                "== 0. Specify the reduction dim with the 'dim' argument."
            )
        for given, d in zip(self.given, self.dim or (), strict=False):
            if not x._data.shape[d]:
                raise IndexError(
                    f"hash_tensor: Expected reduction dim {given} to have non-zero "
                    "size."
                )
        if x._data.size:
            refuse_kinds("xor_sum_cpu", "c", x)

    def forward(self, x: Any) -> Any:
        wide = np.float64 if x.dtype.kind in "fV" else np.int64
        bits, keepdims = x.astype(wide).view(np.uint64), bool(self.keepdim)
        xor: Any = np.bitwise_xor.reduce
        return row_major(xor(bits, axis=self.dim, keepdims=keepdims))


@public("hash_tensor")
def hash_tensor(
    input: Tensor, dim: Any = (), *, keepdim: bool = False, mode: int = 0,
    out: Tensor | None = None, axis: Any = None, keepdims: bool = ABSENT,
) -> Tensor:  # fmt: skip
    """A hash of the elements that does not depend on their order.

    Math: y = the exclusive or of the bits of the x, as 64 bit numbers of their kind
    Shape: (*) -> (), or without `dim`

    Raises:
        RuntimeError: for a mode other than 0, and for tensors without elements.
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.hash_tensor(torch.tensor([1, 2, 7]))
        tensor(4, dtype=torch.uint64)
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, ())
    if keepdims is not ABSENT:
        keepdim = keepdims
    if keepdim is not False and keepdim is not True:
        raise type_error("bool", "keepdim", keepdim, "hash_tensor")
    if mode != 0:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    dims = dims_of(dim, ndim_of(input, "hash_tensor"), "hash_tensor")
    result = apply1(HashTensor(dims, keepdim, dim), input)
    return result if out is None else copyto(out, result, "hash_tensor", (input,))
