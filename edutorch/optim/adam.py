"""Adam and AdamW."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.optim import adam_step
from ..tensor.tensor import Tensor, wrap
from .checks import check_betas
from .optimizer import Optimizer, gradients

__all__ = ["Adam", "AdamW"]


class Adam(Optimizer):
    """Steps of about equal size for every weight.

    Math: m ← β₁ m + (1 - β₁) g        v ← β₂ v + (1 - β₂) g²
          p ← p - lr · m̂ / (√v̂ + eps),   m̂ = m / (1 - β₁ᵗ),   v̂ = v / (1 - β₂ᵗ)
    Reference: Kingma and Ba, 2014; AMSGrad: Reddi, Kale and Kumar, 2018.

    Args:
        lr: the learning rate, >= 0.
        betas: how much of the averages m and v each step keeps, in [0, 1).
        weight_decay: added to the gradient as weight_decay · p.
        decoupled_weight_decay: shrink p by lr · weight_decay instead (AdamW).

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adam([p], lr=0.1)
        >>> (p * 5).sum().backward()
        >>> optimizer.step()
        >>> p.item()
        0.8999999761581421
    """

    decoupled = False

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not float(lr) >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps >= 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay or self.decoupled,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, group: dict[str, Any]) -> None:
        """One step of one group."""
        for p, grad in gradients(group):
            state = self.state[p] or self._start(p, group)
            self._step(p._data, grad._data, state, group)
            p.untyped_storage().version += 1

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        state = self.state[p]
        state["step"] = wrap(np.zeros((), dtype=np.float32))
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * group["amsgrad"]
        for name in names:
            state[name] = wrap(np.zeros_like(p._data), p._device)
        return state

    def _step(self, p: Any, g: Any, state: Any, group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        state["step"]._data += 1
        largest = state["max_exp_avg_sq"]._data if group["amsgrad"] else None
        adam_step(
            p, g, state["exp_avg"]._data, state["exp_avg_sq"]._data,
            step=int(state["step"]._data), lr=float(group["lr"]), beta1=beta1,
            beta2=beta2, eps=group["eps"], weight_decay=group["weight_decay"],
            decoupled=group["decoupled_weight_decay"], maximize=group["maximize"],
            largest=largest,
        )  # fmt: skip


class AdamW(Adam):
    """Adam whose weight decay shrinks the weights apart from the gradient.

    Math: p ← p - lr · weight_decay · p, then a step of Adam
    Reference: Loshchilov and Hutter, 2017.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> torch.optim.AdamW([p]).defaults["weight_decay"]
        0.01
    """

    decoupled = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach,
            maximize=maximize, capturable=capturable, differentiable=differentiable,
            fused=fused,
        )  # fmt: skip
