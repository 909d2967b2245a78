"""Adagrad."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.inplace import check_writable
from ..backends.sparse import Coo
from ..ops import full_like
from ..tensor.tensor import Tensor
from .implementation_checks import (
    check_first_fused_parameter,
    check_fused,
    check_fused_settings,
)
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_lr,
    check_nonnegative,
    count_step,
    gradient_with_decay,
    learning_rate,
    sparse_rows,
    state_scalar,
    to_float,
)

__all__ = ["Adagrad"]


class Adagrad(Optimizer):
    """Gradients divided by the root of the sum of their past squares.

    Math: s ← s + g²      p ← p - lr / (1 + (t - 1) lr_decay) · g / (√s + eps)
    Reference: Duchi, Hazan and Singer, 2011.

    Raises:
        ValueError: for negative settings.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adagrad([p], lr=0.5)
        >>> (p * 5).sum().backward()
        >>> optimizer.step()
        >>> p.item()
        0.5
    """

    _supports_sparse = _counts_steps = True
    _first_state = "sum"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check_nonnegative(lr_decay, "lr_decay value")
        check_nonnegative(weight_decay, "weight_decay value")
        check_nonnegative(initial_accumulator_value, "initial_accumulator_value value")
        check_nonnegative(eps, "epsilon value")
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        check_fused(fused, differentiable, foreach)
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p].update(self._init_state(p, group))

    def share_memory(self) -> None:
        """Move the sums to memory that other processes share."""
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["sum"].share_memory_()

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """No steps, and sums that begin with a given value."""
        value = group["initial_accumulator_value"]
        first = complex(value, value) if p.is_complex() else value
        return {"step": state_scalar(), "sum": full_like(p.detach(), first)}

    def _check_implementation(
        self, group: dict[str, Any], params: list[Tensor]
    ) -> None:
        """Refuse what `foreach` and `fused` do not support."""
        super()._check_implementation(group, params)
        if not group["fused"]:
            return
        check_first_fused_parameter(self, params)
        sparse = any(p.grad is not None and p.grad.is_sparse for p in params)
        if sparse or any(p.is_complex() for p in params):
            raise RuntimeError("`fused` does not support sparse grad or complex param")
        check_fused_settings("_fused_adagrad_", group)

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """One step of one parameter."""
        t = count_step(state).item()
        lr = learning_rate(group) / (1 + (t - 1) * group["lr_decay"])
        if type(g._data) is Coo:
            self._sparse(p, g, state["sum"], lr, group)
            return
        x, s = p, state["sum"]
        fused = group["fused"] and p.dtype.itemsize == 2
        if fused:  # in single precision, rounded once
            x, g, s = p.float(), g.float(), s.float()
        g = gradient_with_decay(x, g, group)
        x, g, s = as_real(x, g, s)
        s.addcmul_(g, g)
        x.addcdiv_(g, s.sqrt() + group["eps"], value=-lr)
        if fused:
            p.copy_(x)
            state["sum"].copy_(s)

    def _sparse(
        self, p: Tensor, g: Tensor, s: Tensor, lr: Any, group: dict[str, Any]
    ) -> None:
        """The step for a sparse gradient, which changes only its rows."""
        if group["weight_decay"]:
            raise RuntimeError(
                "weight_decay option is not compatible with sparse gradients"
            )
        if group["differentiable"]:  # the write below is not an operation
            check_writable(p)
        rows, values = sparse_rows(g)
        values = -values if group["maximize"] else values
        s._data[rows] += values * values
        p._data[rows] -= to_float(lr) * (
            values / (np.sqrt(s._data[rows]) + group["eps"])
        )
        p.untyped_storage().version += 1
