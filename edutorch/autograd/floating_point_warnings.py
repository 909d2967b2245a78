"""NumPy's floating-point warnings, if a program has turned them into errors.

In PyTorch 1 / 0 is inf without a warning. A filter (`edutorch/ops/__init__.py`) hides
NumPy's warnings in edutorch's own files, but filters that a program sets later take
precedence: after `warnings.simplefilter("error")` NumPy raises its warning. Then the
computation runs again with the warnings disabled. Disabling them for every operation
would double the time of small ones.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from . import half_precision
from .host_fallback import forward_on_host, may_run_on_host
from .node import Op
from .op_errors import operation_error

__all__ = ["forward_again", "without_warnings"]


def forward_again(
    op: Op, operands: tuple[Any, ...], error: Exception, started: int, *arrays: Any
) -> Any:
    """Run a forward again: without warnings, or on the host for CuPy.

    Raises:
        Exception: all else.
    """
    try:
        if not isinstance(error, RuntimeWarning):
            if not op.is_view and may_run_on_host(error, arrays):
                with suppress(type(error)):  # the host cannot compute it, either
                    return forward_on_host(op, error, *arrays)
            raise operation_error(op, operands, error, started) from None
        return without_warnings(half_precision.forward, op, *arrays)
    finally:
        del error  # otherwise the frame, the error and its traceback form a cycle


def without_warnings(function: Any, *arguments: Any) -> Any:
    """Call a function with NumPy's floating-point warnings off.

    Example:
        >>> without_warnings(np.log, np.zeros(1))
        array([-inf])
    """
    with np.errstate(all="ignore"):
        return function(*arguments)
