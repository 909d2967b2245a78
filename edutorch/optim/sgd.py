"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends.sparse import Coo
from ..config import plain
from ..kernels.gpu import optim as gpu
from ..kernels.optim import descend, sgd_step
from ..kernels.plain.optim import SgdSettings
from ..kernels.plain.optim import sgd_step as plain_sgd_step
from ..ops.promotion import refuse_dtype
from ..tensor.tensor import Tensor
from .implementation_checks import (
    check_first_fused_parameter,
    check_fused,
    check_fused_settings,
)
from .optimizer import Optimizer, params_with_grad
from .rule_helpers import gradient_with_decay, to_float, zeros

__all__ = ["SGD"]

NUMBERS = frozenset((float, int, bool))
EXTRAS = ("momentum", "dampening", "weight_decay", "nesterov", "maximize")


def _settings(lr: float, group: dict[str, Any]) -> SgdSettings:
    """The settings of a group as numbers."""
    return SgdSettings(lr, *[group[name] for name in EXTRAS])


class SGD(Optimizer):
    """Stochastic gradient descent with momentum.

    Math: g ← ∇ + weight_decay · p
          v ← momentum · v + (1 - dampening) · g   (v = g in the first step)
          p ← p - lr · v, with nesterov p - lr · (g + momentum · v)
    Reference: Polyak, 1964; Nesterov, 1983; Sutskever et al., 2013.

    Args:
        lr: the learning rate, >= 0.
        momentum: the factor of the previous velocity v, usually in [0, 1).
        maximize: maximise the objective instead of minimising it.
        differentiable: let steps be recorded, to be differentiated themselves.
        foreach, fused: accepted; a step is computed in one way.

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
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening,
            "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
            "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        check_fused(fused, differentiable, foreach)

    def _update_group(self, group: dict[str, Any]) -> None:
        """One step of one group."""
        if group["fused"]:
            self._check_fused(group)
        if group["differentiable"]:
            for p, g in params_with_grad(group):
                self._recorded(p, g, group)
            return
        lr, formula = to_float(group["lr"]), plain()
        extras = (
            group["momentum"] != 0 or group["weight_decay"] != 0 or group["maximize"]
            or type(lr) not in NUMBERS
        )  # fmt: skip
        together: tuple[Any, Any] = ([], [])  # parameters that a GPU updates at once
        for p, g in params_with_grad(group):
            if type(g._data) is Coo:
                self._sparse(p, g, group)
                continue
            on_cpu = type(p._data) is np.ndarray
            if p._data.shape != g._data.shape:
                self._recorded(p, g, group)  # raises: the shapes do not match
                continue
            if on_cpu and (p._data.dtype.itemsize == 2 or p._data.dtype.kind in "biu"):
                # As PyTorch, which rounds after each operation and refuses integers.
                self._recorded(p, g, group)
                continue
            if extras or formula:
                self._with_extras(p, g, lr, group, together)
            elif not on_cpu and gpu.is_supported(p._data, g._data):
                together[0].append((p._data, g._data, None))
            else:
                descend(p._data, g._data, lr)
            p.untyped_storage().version += 1
        for first, found in enumerate(together):
            for steps in gpu.grouped(found) if found else ():
                gpu.sgd_steps(steps, bool(first), _settings(lr, group))

    def _check_fused(self, group: dict[str, Any]) -> None:
        """Refuse what PyTorch's fused kernel does not take."""
        pairs = params_with_grad(group)
        check_first_fused_parameter(self, [p for p, _ in pairs])
        if any(type(g._data) is Coo for _, g in pairs):
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        if pairs:
            check_fused_settings("_fused_sgd_", group)
        # PyTorch updates the parameters of one dtype after another, the last one first.
        refused = [t for t in dict.fromkeys(p.dtype for p, _ in pairs) if t.is_complex]
        if refused:
            refuse_dtype("fused_sgd_kernel", refused[-1])

    def _with_extras(
        self, p: Tensor, g: Tensor, lr: float, group: Any, together: Any
    ) -> None:
        """The step with momentum, decay or `maximize`, or an entry in `together`."""
        values = [group[name] for name in EXTRAS]
        if not NUMBERS.issuperset(map(type, (lr, *values))):
            self._recorded(p, g, group)
            return
        velocity, first = None, False
        if group["momentum"]:
            state = self.state[p]
            first = state.get("momentum_buffer") is None
            if first:
                state["momentum_buffer"] = zeros(p)
            velocity = state["momentum_buffer"]._data
            if velocity.shape != p._data.shape or velocity.dtype != p._data.dtype:
                self._recorded(p, g, group)  # preserves the velocity's precision
                return
        on_cpu = type(p._data) is np.ndarray
        if not on_cpu and gpu.is_supported(p._data, g._data, velocity):
            together[first].append((p._data, g._data, velocity))
            return
        step = plain_sgd_step if plain() else sgd_step
        step(p._data, g._data, velocity, first, SgdSettings(lr, *values))

    def _sparse(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """The same step with a sparse gradient: other rows of p are not changed."""
        step = self._direction(p, g, group) * to_float(group["lr"])
        np.subtract(p._data, step._data, out=p._data)
        if (
            group["momentum"] != 0
        ):  # duplicate rows would make the list longer and longer
            state = self.state[p]
            state["momentum_buffer"] = state["momentum_buffer"].coalesce()
        p.untyped_storage().version += 1

    def _recorded(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> None:
        """The same step in tensor operations."""
        step, lr = self._direction(p, g, group), group["lr"]
        if isinstance(lr, Tensor) and lr.requires_grad:
            p.sub_(step * lr)
        else:
            p.add_(step, alpha=-to_float(lr))

    def _direction(self, p: Tensor, g: Tensor, group: dict[str, Any]) -> Tensor:
        """The direction of the step: the gradient, or the updated velocity."""
        d = gradient_with_decay(p, g, group)
        momentum = group["momentum"]
        if momentum != 0:
            state = self.state[p]
            v = state.get("momentum_buffer")
            if v is None:
                v = state["momentum_buffer"] = d.detach().clone()
            else:
                v.mul_(momentum).add_(d, alpha=1 - group["dampening"])
            d = d.add(v, alpha=momentum) if group["nesterov"] else v
        return d
