"""Inverses and linear equations of tensors, treated as matrices."""

from __future__ import annotations

from math import prod
from typing import Any

from ...autograd import modes as _m
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..argument_errors import check_integer, parser_errors
from ..registration import composite, copyto
from .checks import LinAlgError, index_of
from .inverse_solve import inv, solve

__all__ = ["tensorinv", "tensorsolve"]


@composite
def tensorinv(input: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the linear map from the last dimensions to the first `ind`.

    Math: y with tensordot(y, tensordot(A, x, A.ndim - ind), ind) = x, A `input`
          ∂L/∂A = -yᵀ g yᵀ, as matrices
    Shape: (n.., m..) -> (m.., n..), with equal numbers of elements in n.. and m..

    Raises:
        RuntimeError: if the numbers differ, or `ind` is not positive.

    Example:
        >>> import edutorch as torch
        >>> x = torch.eye(4).reshape(2, 2, 4) * 2
        >>> y = torch.linalg.tensorinv(x)
        >>> torch.tensordot(y, torch.ones(2, 2))  # what x makes ones of
        tensor([0.5000, 0.5000, 0.5000, 0.5000])
    """
    if _m.special_modes and tensorinv in _m.modes.autocast:
        return _m.autocast(tensorinv, input, ind, out=out)
    need_tensors("linalg_tensorinv", input=input)
    check_integer(ind)
    if index_of(ind, "linalg_tensorinv", "'ind'") <= 0:
        raise RuntimeError(
            f"Expected a strictly positive integer for 'ind', but got {ind}"
        )
    if ind > input.ndim:
        raise RuntimeError(f"ArrayRef: invalid slice, N = {ind}; size = {input.ndim}")
    first, last = tuple(input.shape[:ind]), tuple(input.shape[ind:])
    if prod(first) != prod(last):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {prod(last)} != {prod(first)}"
        )
    matrix = input.reshape(prod(last), prod(first))
    try:
        result: Tensor = inv(matrix).reshape(*last, *first)
    except LinAlgError as error:  # PyTorch calls an older function
        raise LinAlgError(str(error).removeprefix("linalg.")) from None
    return result if out is None else copyto(out, result, "linalg_tensorinv", (input,))


@composite
@parser_errors
def tensorsolve(
    input: Tensor, other: Tensor, dims: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Solution of linear equations between tensors.

    Math: y with tensordot(A, y, y.ndim) = b, A `input` and b `other`
          ∂L/∂b = A⁻ᵀ g      ∂L/∂A = -(∂L/∂b) yᵀ, as matrices
    Shape: (n.., m..), (n..) -> (m..), with equal numbers of elements in n.. and m..

    Args:
        dims: dimensions of `input` to move to the end first.

    Raises:
        RuntimeError: if the numbers of elements do not fit.

    Example:
        >>> import edutorch as torch
        >>> A = torch.eye(4).reshape(2, 2, 4) * 2
        >>> torch.linalg.tensorsolve(A, torch.ones(2, 2))
        tensor([0.5000, 0.5000, 0.5000, 0.5000])
    """
    if _m.special_modes and tensorsolve in _m.modes.autocast:
        return _m.autocast(tensorsolve, input, other, dims, out=out)
    need_tensors("linalg_tensorsolve", input=input, other=other)
    if dims is not None:
        input = input.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    if other.ndim > input.ndim:  # PyTorch counts the dimensions of the result
        raise RuntimeError("cannot create std::vector larger than max_size()")
    last, size = tuple(input.shape[other.ndim :]), other.numel()
    if prod(last) != size:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {prod(last)} != {size}"
        )
    y = solve(input.reshape(size, size), other.flatten())
    result: Tensor = y.reshape(last)
    if out is None:
        return result
    return copyto(out, result, "linalg_tensorsolve", (input, other, dims))
