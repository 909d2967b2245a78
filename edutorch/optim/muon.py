"""Muon: steps along orthogonal matrices."""

from __future__ import annotations

import math
from typing import Any

from ..ops import addmm
from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import learning_rate, zeros

__all__ = ["Muon"]

CUBIC = (3.4445, -4.775, 2.0315)  # x ↦ a x + b x³ + c x⁵ takes (0, 1] close to 1


class Muon(Optimizer):
    """Momentum with singular values set to about 1, for weight matrices.

    Math: B ← B + (1 - μ) (g - B)      U = g + μ (B - g) with nesterov, else B
          p ← p - lr · weight_decay · p - lr · r · O(U),   O: about U (UᵀU)^(-1/2)
          r = √max(1, rows / columns), or 0.2 √max(rows, columns) (match_rms_adamw)
    Reference: Jordan et al., 2024, "Muon"; Liu et al., 2025, "Muon is scalable for LLM
    training".

    Args:
        lr: the learning rate, >= 0.
        weight_decay: the decoupled weight decay, multiplied by lr.
        momentum: how much of the average B each step keeps.
        ns_coefficients: a, b, c of the iteration X ← a X + (b A + c A²) X, A = X Xᵀ.
        eps: a lower bound of the norm that X is divided by first.
        ns_steps: how many iterations.
        adjust_lr_fn: "original" (also None) or "match_rms_adamw".

    Raises:
        ValueError: for settings out of range, and parameters that are not matrices.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.eye(2))
        >>> optimizer = torch.optim.Muon([p], lr=0.5, weight_decay=0.0)
        >>> (p * torch.eye(2)).sum().backward()
        >>> optimizer.step()
        >>> bool(p.detach().diagonal().max() < 0.7)
        True
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = CUBIC,
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        settings = {
            "Learning rate": lr, "momentum": momentum, "weight decay": weight_decay,
        }  # fmt: skip
        for name, value in settings.items():
            if not 0.0 <= value <= math.inf:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(
                f"Adjust learning rate function {adjust_lr_fn} is not supported"
            )
        defaults = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum,
            "nesterov": nesterov, "ns_coefficients": ns_coefficients, "eps": eps,
            "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        for p in (p for group in self.param_groups for p in group["params"]):
            if p.ndim != 2:
                raise ValueError(
                    "Muon only supports 2D parameters whereas we found a parameter "
                    f"with size: {p.size()}"
                )

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """An average of zero."""
        if p.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        return {"momentum_buffer": zeros(p)}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one matrix."""
        if g.is_sparse:
            raise RuntimeError("Muon does not support sparse gradients")
        lr, momentum = learning_rate(group), group["momentum"]
        average = state["momentum_buffer"]
        average.lerp_(g, 1 - momentum)
        d = g.lerp(average, momentum) if group["nesterov"] else average
        d = _newton_schulz(d, group["ns_coefficients"], group["ns_steps"], group["eps"])
        p.mul_(1 - lr * group["weight_decay"])
        p.add_(d, alpha=-lr * _lr_ratio(p, group["adjust_lr_fn"]))


def _lr_ratio(p: Tensor, kind: str | None) -> float:
    """The factor that makes steps of matrices of any shape about equally large."""
    rows, columns = p.shape
    if kind == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))


def _newton_schulz(d: Tensor, coefficients: Any, steps: int, eps: float) -> Tensor:
    """A matrix with the same singular vectors, all singular values about 1.

    Newton and Schulz's iteration, in bfloat16: a polynomial of X Xᵀ that moves singular
    values towards 1.
    """
    if steps >= 100:
        raise ValueError(
            "Number of steps must be less than 100 for computational efficiency"
        )
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = d.size(0) > d.size(1)
    x = d.bfloat16()
    x = x.T if tall else x
    x.div_(x.norm().clamp(min=eps))  # also `d`, if it is in bfloat16, as in PyTorch
    for _ in range(steps):
        gram = x @ x.T
        change = addmm(gram, gram, gram, beta=b, alpha=c)
        x = addmm(x, change, x, beta=a)
    return x.T if tall else x
