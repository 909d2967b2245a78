"""Tensors of several dimensions as matrices: their inverse, and equations."""

from __future__ import annotations

from math import prod
from typing import Any

from ...tensor.tensor import Tensor
from ..attach import composite, into
from .inverses import inv, solve

__all__ = ["tensorinv", "tensorsolve"]


@composite
def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the linear map from the last dimensions to the first `ind`.

    Math: y with tensordot(y, tensordot(A, x, A.ndim - ind), ind) = x
    Shape: (n.., m..) -> (m.., n..), with equal numbers of elements in n.. and m..

    Raises:
        RuntimeError: if the numbers differ, or `ind` is not positive.

    Example:
        >>> import edutorch as torch
        >>> torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4)).shape
        torch.Size([4, 2, 2])
    """
    if ind <= 0:
        raise RuntimeError(
            f"Expected a strictly positive integer for 'ind', but got {ind}"
        )
    first, last = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if prod(first) != prod(last):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {prod(last)} != {prod(first)}"
        )
    result: Tensor = inv(A.reshape(prod(last), prod(first))).reshape(*last, *first)
    return result if out is None else into(out, result)


@composite
def tensorsolve(
    A: Tensor, B: Tensor, dims: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Solution of linear equations between tensors.

    Math: y with tensordot(A, y, y.ndim) = B
    Shape: (n.., m..), (n..) -> (m..), with equal numbers of elements in n.. and m..

    Args:
        dims: dimensions of A to move to the end first.

    Raises:
        RuntimeError: if the numbers of elements do not fit.

    Example:
        >>> import edutorch as torch
        >>> A = torch.eye(4).reshape(2, 2, 4) * 2
        >>> torch.linalg.tensorsolve(A, torch.ones(2, 2))
        tensor([0.5000, 0.5000, 0.5000, 0.5000])
    """
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    last, size = tuple(A.shape[B.ndim :]), B.numel()
    if prod(last) != size:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {prod(last)} != {size}"
        )
    y = solve(A.reshape(size, size), B.reshape(-1))
    result: Tensor = y.reshape(last)
    return result if out is None else into(out, result)
