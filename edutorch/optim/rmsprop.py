"""RMSprop."""

from __future__ import annotations

from typing import Any

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

__all__ = ["RMSprop"]


class RMSprop(Optimizer):
    """Gradients divided by the root of the running mean of their squares.

    Math: v ← alpha v + (1 - alpha) g²      d = g / (√v + eps)
          p ← p - lr · d, with momentum p - lr · b, b ← momentum b + d
          centered: √(v - m²) for √v, m ← alpha m + (1 - alpha) g
    Reference: Hinton, 2012, lecture 6e; centered: Graves, 2013.

    Raises:
        ValueError: for negative settings.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.RMSprop([p], lr=0.1)
        >>> (p * 5).sum().backward()
        >>> optimizer.step()
        >>> p
        Parameter containing:
        tensor([-1.1921e-07], requires_grad=True)
    """

    _counts_steps = True
    _first_state = "square_avg"
    _captured_by_xla = True, True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check_nonnegative(eps, "epsilon value")
        check_nonnegative(momentum, "momentum value")
        check_nonnegative(weight_decay, "weight_decay value")
        check_nonnegative(alpha, "alpha value")
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps,
            "centered": centered, "weight_decay": weight_decay,
            "capturable": capturable, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, means of zero."""
        state = {"step": state_scalar(), "square_avg": zeros(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros(p)
        if group["centered"]:
            state["grad_avg"] = zeros(p)
        return state

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        alpha, momentum = group["alpha"], group["momentum"]
        count_step(state)
        g = gradient_with_decay(p, g, group)
        p, g, v = as_real(p, g, state["square_avg"])
        v.mul_(alpha).addcmul_(g, g, value=1 - alpha)
        if group["centered"]:
            (m,) = as_real(state["grad_avg"])
            m.lerp_(g, 1 - alpha)
            v = v.addcmul(m, m, value=-1)
        spread = v.sqrt() + group["eps"]
        if momentum > 0:
            (b,) = as_real(state["momentum_buffer"])
            p.add_(b.mul_(momentum).addcdiv_(g, spread), alpha=-learning_rate(group))
        else:
            p.addcdiv_(g, spread, value=-learning_rate(group))
