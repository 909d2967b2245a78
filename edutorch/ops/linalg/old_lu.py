"""The deprecated functions `torch.lu` and `torch.lu_solve`."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, type_error
from ..registration import copyto, method, public
from .lu import lu_factors, lu_solve, lu_with_info_type, need_pivots
from .replaced import warn_replaced

__all__ = ["old_lu", "old_lu_solve"]


def old_lu(
    A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None
) -> Any:
    """Triangular factors in one matrix, and the row swaps: the deprecated form.

    Math: x = P L U, with L below the diagonal and U on and above it
          ∂L/∂x: as of `torch.linalg.lu_factor`
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m)), and (*) with `get_infos`

    Raises:
        RuntimeError: for a tensor that is no matrix of floating-point numbers.
        TypeError: for a `pivot` that is not True or False.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.lu(torch.tensor([[1.0, 2.0], [4.0, 4.0]]))[1]
        tensor([2, 2], dtype=torch.int32)
    """
    if type(pivot) is not bool:
        raise type_error("bool", "pivot", pivot, "lu")
    need_pivots("linalg.lu_factor", pivot, A)
    warn_replaced("lu")
    result = lu_with_info_type(*lu_factors(A))
    result = result if get_infos else tuple(result[:2])
    return result if out is None else copyto(out, result, "old_lu", (A,))


@method
def _tensor_lu(self: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """`torch.lu` as a method that returns a plain tuple.

    Math: x = P L U      ∂L/∂x: as of `torch.linalg.lu_factor`
    Shape: (*, n, m) -> (*, n, m), (*, min(n, m)), and (*) with `get_infos`

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.tensor([[1.0, 2.0], [4.0, 4.0]]).lu()[1]
        tensor([2, 2], dtype=torch.int32)
    """
    return tuple(old_lu(self, pivot, get_infos))


@public("lu_solve")
def old_lu_solve(
    input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """Solution of linear equations, given `lu_factor`'s result: the deprecated form.

    Math: y with A y = b, b `input`      ∂L/∂b = A⁻ᵀ g
    Shape: (*, n, k), (*, n, n), (*, n) -> (*, n, k)

    Raises:
        RuntimeError: for sizes that do not fit.
        TypeError: for arguments that are not tensors.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"):
        ...     torch.lu_solve(torch.ones(1, 1), *torch.linalg.lu_factor(torch.eye(1)))
        tensor([[1.]])
    """
    if _m.special_modes and old_lu_solve in _m.modes.autocast:
        return _m.autocast(old_lu_solve, input, LU_data, LU_pivots, out=out)
    need_tensors("lu_solve", input=input, LU_data=LU_data, LU_pivots=LU_pivots)
    warn_replaced("lu_solve")
    return lu_solve(LU_data, LU_pivots, input, out=out)
