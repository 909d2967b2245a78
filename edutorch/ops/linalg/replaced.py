"""Warnings of functions that newer ones in `linalg` have replaced."""

from __future__ import annotations

from typing import Final

from ...backends.flags import warn_once

__all__ = ["warn_replaced"]

# By function: the new function as PyTorch's message has it, and how to change a call.
REPLACED: Final[dict[str, tuple[str, str]]] = {
    "cholesky": (
        "torch.linalg.cholesky and will",
        (
            "L = torch.cholesky(A)\nshould be replaced with\n"
            "L = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\n"
            "should be replaced with\n"
            "U = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent "
            "results for all valid (symmetric positive definite) inputs."
        ),
    ),
    "lu": (
        "torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will",
        (
            "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
            "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
            "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n"
            "should be replaced with\n"
            "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
        ),
    ),
    "lu_solve": (
        "torch.linalg.lu_solveand will",  # PyTorch's message has no space here, either
        (
            "Note that torch.linalg.lu_solve has its arguments reversed.\n"
            "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
            "X = torch.linalg.lu_solve(LU, pivots, B)"
        ),
    ),
    "qr": (
        "torch.linalg.qr and will",
        (
            "The boolean parameter 'some' has been replaced with a string parameter "
            "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\n"
            "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
        ),
    ),
    "triangular_solve": (
        "torch.linalg.solve_triangularand will",
        (
            "torch.linalg.solve_triangular has its arguments reversed and does not "
            "return a copy of one of the inputs.\n"
            "X = torch.triangular_solve(B, A).solution\n"
            "should be replaced with\nX = torch.linalg.solve_triangular(A, B)."
        ),
    ),
}


def warn_replaced(name: str) -> None:
    """Warn that a function of `torch` has been replaced.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> torch.set_warn_always(True)    # without it, once per process
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     warn_replaced("lu_solve")
        >>> torch.set_warn_always(False)
        >>> str(caught[0].message).partition(" of ")[2].split("\\n")[1]
        'Note that torch.linalg.lu_solve has its arguments reversed.'
    """
    successor, change = REPLACED[name]
    warn_once(
        f"torch.{name} is deprecated in favor of {successor} be removed in a future "
        f"PyTorch release.\n{change}"
    )
