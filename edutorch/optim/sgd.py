"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

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
            step = self._direction(p, grad._data, group)
            p._data -= np.asarray(step * float(group["lr"]), dtype=p._data.dtype)
            p.untyped_storage().version += 1

    def _direction(self, p: Tensor, g: Any, group: dict[str, Any]) -> Any:
        """The gradient with decay and momentum."""
        g = -g if group["maximize"] else g
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p._data
        momentum = group["momentum"]
        if not momentum:
            return g
        state = self.state[p]
        v = state.get("momentum_buffer")
        if v is None:
            v = state["momentum_buffer"] = wrap(g.copy(), p._device)
        else:
            v._data *= momentum
            v._data += (1 - group["dampening"]) * g
        return g + momentum * v._data if group["nesterov"] else v._data
