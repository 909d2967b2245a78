"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from ..ops import as_tensor
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
    to_float,
    zeros,
)

__all__ = ["ASGD"]


class ASGD(Optimizer):
    """Gradient descent with an average of the parameters over all steps.

    Math: p ← (1 - lambd·η) p - η g      η ← lr / (1 + lambd·lr·t)^alpha
          ax ← ax + μ (p - ax)           μ ← 1 / max(1, t - t0)
    Reference: Polyak and Juditsky, 1992.

    The mean is in `optimizer.state[p]["ax"]`.

    Raises:
        ValueError: for negative settings.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.ASGD([p], lr=0.125, lambd=0.0)
        >>> (p * 4).sum().backward()
        >>> optimizer.step()
        >>> p.item(), optimizer.state[p]["ax"].item()
        (0.5, 0.5)
    """

    _counts_steps = True
    _first_state = "mu"
    _captured = ("params, mus, etas, and state_steps",) * 2

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check_nonnegative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0,
            "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """A step count of zero, the first step size, and no mean yet."""
        return {
            "step": state_scalar(),
            "eta": state_scalar(to_float(group["lr"])),
            "mu": state_scalar(1.0),
            "ax": zeros(p),
        }

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        lr, lambd = learning_rate(group), group["lambd"]
        t = count_step(state).item()
        p, g, ax = as_real(p, g, state["ax"])
        g = gradient_with_decay(p, g, group)
        eta, mu = state["eta"].item(), state["mu"].item()
        p.mul_(1 - lambd * eta).add_(g, alpha=-eta)
        if mu == 1:
            ax.copy_(p)
        else:
            ax.add_((p - ax) * mu)
        # PyTorch's `foreach` counts in tensors, whose precision is single.
        count = state["step"] if group["foreach"] else t
        state["eta"].copy_(as_tensor(lr / (1 + lambd * lr * count) ** group["alpha"]))
        state["mu"].copy_(as_tensor(1 / max(1, t - group["t0"])))
