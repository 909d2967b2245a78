"""Adadelta."""

from __future__ import annotations

from typing import Any

from ..ops import view_as_complex
from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_lr,
    check_nonnegative,
    count_step,
    gradient_with_decay,
    learning_rate,
    state_scalar,
    zeros,
)

__all__ = ["Adadelta"]


class Adadelta(Optimizer):
    """Steps in the units of the parameters: the ratio of past updates to gradients.

    Math: v ← ρ v + (1 - ρ) g²      d = √(u + eps) / √(v + eps) · g
          u ← ρ u + (1 - ρ) d²      p ← p - lr · d
    Reference: Zeiler, 2012.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> torch.optim.Adadelta([p]).defaults["rho"]
        0.9
    """

    _counts_steps = True
    _first_state = "square_avg"
    _captured_by_xla = False, False

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_nonnegative(eps, "epsilon value")
        check_nonnegative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "capturable": capturable, "foreach": foreach,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, means of zero."""
        return {"step": state_scalar(), "square_avg": zeros(p), "acc_delta": zeros(p)}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        rho, eps = group["rho"], group["eps"]
        count_step(state)
        g = gradient_with_decay(p, g, group)
        g, v, u = as_real(g, state["square_avg"], state["acc_delta"])
        v.mul_(rho).addcmul_(g, g, value=1 - rho)
        d = (u + eps).sqrt() / (v + eps).sqrt() * g
        u.mul_(rho).addcmul_(d, d, value=1 - rho)
        d = view_as_complex(d) if p.is_complex() else d
        p.add_(d, alpha=-learning_rate(group))
