"""Adamax."""

from __future__ import annotations

from typing import Any

from ..ops import maximum
from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_adam_settings,
    count_step,
    gradient_with_decay,
    learning_rate,
    state_scalar,
    zeros,
)

__all__ = ["Adamax"]


class Adamax(Optimizer):
    """Adam with a decaying maximum of the gradients in place of the mean square.

    Math: m ← β₁ m + (1 - β₁) g      u ← max(β₂ u, |g| + eps)
          p ← p - lr / (1 - β₁ᵗ) · m / u
    Reference: Kingma and Ba, 2014, section 7.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adamax([p], lr=0.5)
        >>> (p * 4).sum().backward()
        >>> optimizer.step()
        >>> p.item()
        0.5
    """

    _counts_steps = True

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_adam_settings(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, averages of zero."""
        return {"step": state_scalar(), "exp_avg": zeros(p), "exp_inf": zeros(p)}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        steps = count_step(state)
        g = gradient_with_decay(p, g, group)
        p, g, m, u = as_real(p, g, state["exp_avg"], state["exp_inf"])
        m.lerp_(g, 1 - beta1)
        u.copy_(maximum(u * beta2, g.abs() + group["eps"]))
        p.addcdiv_(m, u, value=-(learning_rate(group) / (1 - beta1 ** steps.item())))
