"""Adafactor: mean squares of gradients, factored into one row and one column."""

from __future__ import annotations

from math import inf
from typing import Any

from .. import dtypes
from ..ops import norm
from ..tensor.tensor import Tensor
from .optimizer import Optimizer
from .rule_helpers import count_step, learning_rate, state_scalar, zeros

__all__ = ["Adafactor"]


class Adafactor(Optimizer):
    """Steps relative to the size of the parameters, with little memory for matrices.

    Math: β = t^decay      α = max(eps₂, rms(p)) · min(lr, 1/√t)
          R ← R + β (mean_cols(g²) - R)      C ← C + β (mean_rows(g²) - C)
          v = R C / max(mean(R), eps₁), for vectors v ← v + β (g² - v)
          u = g / √max(v, eps₁²)      p ← p - α · u / max(1, rms(u) / d)
    Reference: Shazeer and Stern, 2018, "Adafactor: adaptive learning rates with
    sublinear memory cost".

    Args:
        lr: the largest relative step, >= 0.
        beta2_decay: the power of t, <= 0.
        eps: (eps₁, eps₂); eps₁ None for the dtype's.
        d: the limit to which the size of u is clipped, >= 1.
        weight_decay: the decoupled weight decay, multiplied by lr.
        foreach: accepted; a step is computed in one way here.
        maximize: climb instead of descend.

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.ones(3, 2))
        >>> optimizer = torch.optim.Adafactor([p])
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [s.shape for s in (optimizer.state[p]["row_var"],
        ...                    optimizer.state[p]["col_var"])]
        [torch.Size([3, 1]), torch.Size([1, 2])]
    """

    _counts_steps = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        _check_range("Learning rate", lr, 0.0 <= lr <= inf, ">= 0")
        _check_range("beta2_decay", beta2_decay, beta2_decay <= 0.0, "<= 0")
        _check_range("epsilon1", eps[0], eps[0] is None or 0.0 <= eps[0] <= inf, ">= 0")
        _check_range("epsilon2", eps[1], 0.0 <= eps[1] <= inf, ">= 0")
        _check_range("Clipping threshold d", d, 1.0 <= d <= inf, ">= 1")
        _check_range("weight_decay", weight_decay, 0.0 <= weight_decay <= inf, ">= 0")
        defaults = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d,
            "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, mean squares of zero."""
        if p.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        if p.dim() < 2:
            return {"step": state_scalar(), "variance": zeros(p)}
        rows, columns = list(p.shape), list(p.shape)
        rows[-1] = columns[-2] = 1
        means = {"row_var": p.new_zeros(rows), "col_var": p.new_zeros(columns)}
        return {"step": state_scalar(), **means}

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        if g.is_sparse:
            raise RuntimeError("Adafactor does not support sparse gradients")
        lr, (eps1, eps2) = learning_rate(group), group["eps"]
        if eps1 is None:
            eps1 = dtypes.finfo(p.dtype).eps
        g = -g if group["maximize"] else g
        t = count_step(state).item()
        share = t ** group["beta2_decay"]
        size = max(eps2, _rms(p)) * min(lr, 1 / t**0.5)
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        v = _mean_squares(g, state, share, eps1)
        u = v.clamp(min=eps1 * eps1).rsqrt() * g
        p.add_(u, alpha=-size / max(1.0, _rms(u) / group["d"]))


def _check_range(name: str, value: Any, inside: Any, words: str) -> None:
    if not inside:
        raise ValueError(f"{name} should be {words} but is: {value}")


def _rms(x: Tensor) -> float:
    """The root of the mean square."""
    return x.norm(2).item() / x.numel() ** 0.5


def _mean_squares(g: Tensor, state: dict[str, Any], share: float, eps: float) -> Tensor:
    """Running means of g², for matrices of those of its rows and columns."""
    if g.dim() < 2:
        variance = state.get("variance")
        if variance is None:
            raise AssertionError("variance should be defined when grad is a vector")
        variance.lerp_(g * g, share)
        return variance
    row, column = state.get("row_var"), state.get("col_var")
    if row is None or column is None:
        raise AssertionError(
            "row_var and col_var should be defined when grad is multidimensional"
        )
    row.lerp_(norm(g, dim=-1, keepdim=True).square() / g.size(-1), share)
    column.lerp_(norm(g, dim=-2, keepdim=True).square() / g.size(-2), share)
    return row @ column / row.mean(dim=-2, keepdim=True).clamp(min=eps)
