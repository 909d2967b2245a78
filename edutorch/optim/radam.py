"""RAdam."""

from __future__ import annotations

from math import sqrt
from typing import Any

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

__all__ = ["RAdam"]


class RAdam(Optimizer):
    """Adam with a warm-up, until the variance of its step sizes is bounded.

    Math: m̂ and v̂ as for Adam; ρ∞ = 2 / (1 - β₂) - 1, ρₜ = ρ∞ - 2t β₂ᵗ / (1 - β₂ᵗ)
          ρₜ > 5: p ← p - lr · r · m̂ / (√v̂ + ..), r² = (ρₜ-4)(ρₜ-2)ρ∞ / (ρ∞-4)(ρ∞-2)ρₜ
          else:   p ← p - lr · m̂
    Reference: Liu et al., 2019.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.RAdam([p], lr=0.125)
        >>> (p * 4).sum().backward()
        >>> optimizer.step()
        >>> p.item()
        0.5
    """

    _counts_steps = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam_settings(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, averages of zero."""
        return {"step": state_scalar(), "exp_avg": zeros(p), "exp_avg_sq": zeros(p)}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        t = count_step(state).item()
        p, g, m, v = as_real(p, g, state["exp_avg"], state["exp_avg_sq"])
        g = gradient_with_decay(p, g, group)
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        step = m / (1 - beta1**t) * learning_rate(group)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * t * beta2**t / (1 - beta2**t)
        if length > 5:
            rectify = sqrt(
                (length - 4) * (length - 2) * longest
                / ((longest - 4) * (longest - 2) * length)
            )  # fmt: skip
            step = step * (sqrt(1 - beta2**t) / (v.sqrt() + group["eps"])) * rectify
        p.add_(step, alpha=-1)
