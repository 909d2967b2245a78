"""Resilient backpropagation."""

from __future__ import annotations

from typing import Any

from ..ops import full_like, ones_like, where
from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_lr,
    count_step,
    learning_rate,
    state_scalar,
    zeros,
)

__all__ = ["Rprop"]


class Rprop(Optimizer):
    """Step sizes per weight, adapted by the signs of its gradients.

    Math: the sign of g stays: s ← s · etas[1]; it turns: s ← s · etas[0], g ← 0
          p ← p - s · sign(g), s within `step_sizes`
    Reference: Riedmiller and Braun, 1993.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Rprop([p], lr=0.5)
        >>> (p * 4).sum().backward()
        >>> optimizer.step()
        >>> p.item()
        0.5
    """

    _counts_steps = True
    _first_state = "prev"
    _captured_by_xla = True, True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, no gradient yet, and steps of size lr."""
        lr = learning_rate(group)
        first = complex(lr, lr) if p.is_complex() else lr
        sizes = full_like(p.detach(), first)
        return {"step": state_scalar(), "prev": zeros(p), "step_size": sizes}

    def _check_implementation(
        self, group: dict[str, Any], params: list[Tensor]
    ) -> None:
        """Refuse sizes that are no pair, and then what an implementation refuses."""
        _, _ = group["step_sizes"]
        super()._check_implementation(group, params)

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        shrink, grow = group["etas"]
        least, largest = group["step_sizes"]
        count_step(state)
        g = -g if group["maximize"] else g
        p, g, prev, size = as_real(p, g, state["prev"], state["step_size"])
        agreement = (g * prev).sign()
        reversed_sign = agreement < 0
        factor = where(
            agreement > 0, grow, where(reversed_sign, shrink, ones_like(size))
        )
        size.mul_(factor).clamp_(least, largest)
        g = where(reversed_sign, 0.0, g)
        p.sub_(g.sign() * size)
        prev.copy_(g)
