"""Branches that depend on a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.tensor import Tensor

__all__ = ["cond"]


def cond(
    pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any],
    operands: Any = (),
) -> Any:  # fmt: skip
    """Call one of two functions, depending on `pred`.

    Math: y = f(x) where pred, else h(x)      ∂L/∂x: that of the function called
    Shape: as the function called has it

    Args:
        pred: a bool, or a tensor with one element.
        operands: the arguments of the function called.

    Raises:
        RuntimeError: for another `pred`, and invalid functions or operands.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> torch.cond(x.sum() > 2, torch.neg, torch.exp, (x,))
        tensor([-1., -2.])
    """
    if not isinstance(pred, (bool, int, float, Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, Tensor) and pred.numel() != 1:
        raise RuntimeError(
            f"Expected pred to be bool or single-element tensor, but got {pred}."
        )
    if not (callable(true_fn) and callable(false_fn)):
        raise RuntimeError("Expect both branches to be callable.")
    if not isinstance(operands, (tuple, list)):
        raise RuntimeError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that "
            "only consists of tensor leaves, but got " + str(operands) + "."
        )
    return (true_fn if pred else false_fn)(*operands)
