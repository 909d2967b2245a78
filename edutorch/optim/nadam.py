"""NAdam."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_adam_settings,
    check_nonnegative,
    count_step,
    gradient_with_decay,
    learning_rate,
    state_scalar,
    zeros,
)

__all__ = ["NAdam"]


class NAdam(Optimizer):
    """Adam with Nesterov's momentum: it looks one step ahead.

    Math: m and v as for Adam, μₜ = β₁ (1 - ½ 0.96^(t·momentum_decay)), Πₜ = μ₁ ⋯ μₜ
          p ← p - lr ((1 - μₜ) g / (1 - Πₜ) + μₜ₊₁ m / (1 - Πₜ₊₁)) / (√v̂ + eps)
    Reference: Dozat, 2016.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> torch.optim.NAdam([p]).defaults["momentum_decay"]
        0.004
    """

    _counts_steps = True
    _captured = (
        "params, mu_products and state_steps", "params, mu_products, and state_steps",
    )  # fmt: skip

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam_settings(lr, betas, eps, weight_decay)
        check_nonnegative(momentum_decay, "momentum_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize,
            "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, averages of zero, and a product of no factors."""
        return {
            "step": state_scalar(),
            "mu_product": state_scalar(1.0),
            "exp_avg": zeros(p),
            "exp_avg_sq": zeros(p),
        }

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        (beta1, beta2), lr = group["betas"], learning_rate(group)
        t = count_step(state).item()
        p, g, m, v = as_real(p, g, state["exp_avg"], state["exp_avg_sq"])
        g = gradient_with_decay(p, g, group)
        mu, mu_next = (
            beta1 * (1 - 0.5 * 0.96 ** (n * group["momentum_decay"]))
            for n in (t, t + 1)
        )
        product = state["mu_product"].mul_(mu).item()
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        spread = (v / (1 - beta2**t)).sqrt() + group["eps"]
        first, second = -lr * (1 - mu) / (1 - product), -lr * mu_next
        second = second / (1 - product * mu_next)
        if group["differentiable"]:
            p.add_(g / spread * first).add_(m / spread * second)
        else:
            p.addcdiv_(g, spread, value=first).addcdiv_(m, spread, value=second)
