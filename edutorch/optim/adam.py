"""Adam and AdamW."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..config import plain
from ..kernels.gpu import optim as gpu
from ..kernels.optim import adam_step
from ..kernels.plain.optim import AdamSettings
from ..kernels.plain.optim import adam_step as plain_adam_step
from ..ops import maximum
from ..tensor.tensor import Tensor
from .implementation_checks import (
    check_capturable,
    check_foreach,
    check_fused,
    check_fused_parameter,
    check_fused_settings,
)
from .optimizer import Optimizer
from .rule_helpers import (
    as_real,
    check_adam_settings,
    count_step,
    gradient_with_decay,
    learning_rate,
    scalar,
    state_scalar,
    to_float,
    zeros,
)

__all__ = ["Adam", "AdamW"]

NUMBERS = frozenset((float, int))
TENSOR_LR = "lr as a Tensor is not supported for capturable=False and foreach=True"


class Adam(Optimizer):
    """Steps of about equal size for every weight.

    Math: m ← β₁ m + (1 - β₁) g        v ← β₂ v + (1 - β₂) g²
          p ← p - lr · m̂ / (√v̂ + eps),   m̂ = m / (1 - β₁ᵗ),   v̂ = v / (1 - β₂ᵗ)
    Reference: Kingma and Ba, 2014; AMSGrad: Reddi, Kale and Kumar, 2018.

    Args:
        lr: the learning rate, >= 0.
        betas: the decay rates of the averages m and v, in [0, 1).
        weight_decay: added to the gradient as weight_decay · p.
        amsgrad: use the largest v so far.
        maximize: maximise the objective instead of minimising it.
        differentiable: let steps be recorded, to be differentiated themselves.
        decoupled_weight_decay: shrink p by lr · weight_decay instead (AdamW).
        foreach, fused, capturable: accepted; a step is computed in one way here.

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

    _counts_steps = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
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
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(TENSOR_LR)
        check_adam_settings(lr, betas, eps, weight_decay)
        _check_betas(betas, foreach and not capturable)
        defaults = {
            "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)
        check_fused(fused, differentiable, foreach)

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """A step count and averages of zero."""
        if group["fused"]:
            check_fused_parameter(p)
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * bool(group["amsgrad"])
        return {"step": state_scalar(), **{name: zeros(p) for name in names}}

    def _check_implementation(
        self, group: dict[str, Any], params: list[Tensor]
    ) -> None:
        """Refuse what `foreach`, `fused` and `capturable` do not support."""
        tensor_lr = isinstance(group["lr"], Tensor)
        if group["foreach"] and tensor_lr and not group["capturable"]:
            raise RuntimeError(TENSOR_LR)
        if group["fused"]:
            decoupled = "w" * bool(group["decoupled_weight_decay"])
            check_fused_settings(f"_fused_adam{decoupled}_", group)
        else:
            check_capturable(group, params, self._captured, self._captured_by_xla)
            check_foreach(group)

    def _update_group(self, group: dict[str, Any]) -> None:
        """One step of every parameter of a group, whose settings are read once."""
        settings = _settings(group)
        params = self._params_with_state(group)
        step: Any = plain_adam_step if plain() else adam_step
        together = []  # parameters that a GPU updates in one kernel
        recorded = group["differentiable"]
        tensor_lr = isinstance(group["lr"], Tensor)
        for p, g, state in params:
            arrays = _arrays(p, g, state, group)
            if arrays is None or settings is None or recorded:
                self._recorded(p, g, state, group)  # raises if shapes do not match
                continue
            on_cpu = type(arrays[0]) is ndarray
            if on_cpu and not group["fused"] and (tensor_lr or arrays[0].itemsize == 2):
                # The kernel computes in float32 and rounds once: PyTorch rounds after
                # each operation, and a tensor keeps its own precision.
                self._recorded(p, g, state, group)
                continue
            t = int(count_step(state).item())
            if not on_cpu and arrays[4] is None and gpu.is_supported(*arrays[:4]):
                together.append((*arrays[:4], t))
            elif on_cpu and arrays[0].itemsize == 2:
                _step_in_single(step, arrays, t, settings)
            else:
                step(*arrays, t, settings)
            storage = p.untyped_storage() if p._storage is None else p._storage
            storage.version += 1
        if together and settings is not None:
            for steps in gpu.grouped(together):
                gpu.adam_steps(steps, settings)

    def _recorded(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """The same step in tensor operations."""
        beta1, beta2 = (scalar(beta) for beta in group["betas"])
        steps = count_step(state)
        d = gradient_with_decay(p, g, group)
        p, d, m, v = as_real(p, d, state["exp_avg"], state["exp_avg_sq"])
        m.lerp_(d, 1 - (beta1.to(p.dtype) if isinstance(beta1, Tensor) else beta1))
        if isinstance(beta2, Tensor) and beta2.requires_grad:
            v.lerp_(d * d, 1 - beta2)  # the formula below takes numbers only
        else:
            v.mul_(beta2).addcmul_(d, d, value=1 - beta2)
        t = steps.item()
        lr = learning_rate(group) / (1 - beta1**t)
        if group["amsgrad"]:
            (largest,) = as_real(state["max_exp_avg_sq"])
            largest.copy_(maximum(largest.clone(), v))
            v = largest
        spread = v.sqrt() / (1 - beta2**t) ** 0.5 + group["eps"]
        if group["differentiable"]:
            p.sub_(m / spread * lr)
        else:
            p.addcdiv_(m, spread, value=-to_float(lr))


def _settings(group: dict[str, Any]) -> AdamSettings | None:
    """The settings of a group, maybe tensors; None if one is not a number."""
    beta1, beta2 = group["betas"]
    numbers = [group["lr"], beta1, beta2, group["eps"], group["weight_decay"]]
    if not NUMBERS.issuperset(map(type, numbers)):
        decoupled = group["decoupled_weight_decay"]
        if any(isinstance(n, Tensor) and (n.ndim or decoupled) for n in numbers[3:]):
            return None  # eps and weight_decay broadcast, or have a precision
        numbers = [to_float(number) for number in numbers]
        if not NUMBERS.issuperset(map(type, numbers)):
            return None
    lr, beta1, beta2, eps, decay = numbers
    decoupled, maximize = group["decoupled_weight_decay"], group["maximize"]
    return AdamSettings(lr, beta1, beta2, eps, decay, decoupled, maximize)


def _arrays(p: Tensor, g: Tensor, state: dict[str, Any], group: Any) -> Any:
    """Arrays of a parameter, its gradient and state; None if shapes do not match."""
    m, v = state["exp_avg"], state["exp_avg_sq"]
    largest = state["max_exp_avg_sq"] if group["amsgrad"] else v
    if p._data.dtype.kind in "cW":
        p, g, m, v, largest = as_real(p, g, m, v, largest)
    x, dx, mean, square, most = p._data, g._data, m._data, v._data, largest._data
    if x.dtype.kind in "biu":
        return None
    if not x.shape == dx.shape == mean.shape == square.shape == most.shape:
        return None
    if not x.dtype == dx.dtype == mean.dtype == square.dtype == most.dtype:
        return None
    return x, dx, mean, square, most if group["amsgrad"] else None


def _step_in_single(step: Any, arrays: Any, t: int, settings: AdamSettings) -> None:
    """A fused step of 16-bit arrays: in single precision, rounded once."""
    wide = [None if x is None else x.astype(np.float32) for x in arrays]
    step(*wide, t, settings)
    for i, x in enumerate(arrays):
        if x is not None and i != 1:  # the gradient is not changed
            x[...] = wide[i]


def _check_betas(betas: Any, foreach: Any) -> None:
    """Check that both decay rates are floats, or tensors where these are allowed."""
    kinds = {Tensor if isinstance(beta, Tensor) else type(beta) for beta in betas}
    if kinds not in ({float}, {Tensor}):
        raise ValueError("betas must be either both floats or both Tensors")
    for i, beta in enumerate(betas):
        if isinstance(beta, Tensor) and foreach:
            raise ValueError(
                f"betas[{i}] as a Tensor is not supported for capturable=False and "
                "foreach=True"
            )
        if isinstance(beta, Tensor) and beta.numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")


class AdamW(Adam):
    """Adam with decoupled weight decay.

    Math: p ← p - lr · weight_decay · p, then a step of Adam
    Reference: Loshchilov and Hutter, 2017.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.tensor([1.0]))
        >>> torch.optim.AdamW([p]).defaults["weight_decay"]
        0.01
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
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
            fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip
