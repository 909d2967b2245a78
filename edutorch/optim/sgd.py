"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from ..backends import array_module
from ..kernels.optim import sgd_step
from ..tensor.tensor import Tensor, wrap
from .optimizer import Optimizer, gradients

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent with momentum.

    Math: g ← ∇ + weight_decay · p
          v ← momentum · v + (1 - dampening) · g   (v = g in the first step)
          p ← p - lr · v, with nesterov p - lr · (g + momentum · v)
    Reference: Polyak, 1964; Nesterov, 1983; Sutskever et al., 2013.

    Args:
        lr: the learning rate, >= 0.
        momentum: the share of the last step that goes on, in [0, 1).
        maximize: climb instead of descend.

    Raises:
        ValueError: for negative settings, or nesterov without momentum.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.SGD([p], lr=0.1, momentum=0.9)
        >>> for _ in range(2):
        ...     optimizer.zero_grad()
        ...     p.sum().backward()
        ...     optimizer.step()
        >>> p.item()
        0.7099999785423279
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (
            ("learning rate", lr),
            ("momentum value", momentum),
            ("weight_decay value", weight_decay),
        ):
            if value < 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening,
            "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
            "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, group: dict[str, Any]) -> None:
        """One step of one group."""
        for p, grad in gradients(group):
            first, velocity = self._velocity(p, group["momentum"])
            sgd_step(
                p._data, grad._data, velocity, lr=float(group["lr"]),
                momentum=group["momentum"], dampening=group["dampening"],
                weight_decay=group["weight_decay"], nesterov=group["nesterov"],
                maximize=group["maximize"], first=first,
            )  # fmt: skip
            p.untyped_storage().version += 1

    def _velocity(self, p: Tensor, momentum: float) -> tuple[bool, Any]:
        """Whether this is a parameter's first step, and the array of its velocity."""
        if not momentum:
            return False, None
        state = self.state[p]
        found = state.get("momentum_buffer")
        if found is not None:
            return False, found._data
        empty = array_module(p._data).empty_like(p._data)
        state["momentum_buffer"] = wrap(empty, p._device)
        return True, empty
