"""`GradScaler`: scales losses, so that small gradients do not underflow in 16 bits."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..backends import gpus
from ..dtypes import float16, float32, int32
from ..ops.create.filled import full
from ..tensor.tensor import Tensor

__all__ = ["GradScaler", "OptState"]

TOO_EARLY = (
    "This may indicate your script did not use scaler.scale(loss or outputs) earlier "
    "in the iteration."
)


class OptState(Enum):
    """The progress of an optimizer in this iteration.

    Example:
        >>> OptState.READY.value
        0
    """

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _initial_state() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Scales losses, unscales their gradients, and adapts the scale.

    A step whose gradients are infinite or nan is skipped, and the scale is reduced;
    after a number of finite steps it grows. Each iteration: `scale(loss).backward()`,
    `step(optimizer)`, `update()`.

    Args:
        device: the type of device that holds the gradients.
        init_scale: the initial scale.
        growth_factor: the factor by which it grows, > 1.
        backoff_factor: the factor by which it is reduced, < 1.
        growth_interval: the number of finite steps in a row after which it grows.
        enabled: False makes all methods do nothing, and `step` an ordinary step.

    Raises:
        AssertionError: for other factors.

    Example:
        >>> import edutorch as torch
        >>> w = torch.ones(1, requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.5)
        >>> scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        >>> scaler.scale(w.sum()).backward()
        >>> w.grad
        tensor([4.])
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> w
        tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device, self._enabled = device, enabled
        if enabled and device == "cuda" and gpus.gpus() is None:
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  "
                "Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._init_growth_tracker = init_scale, 0
        self._scale: Tensor | None = None  # made when it is known on which device
        self._growth_tracker: Tensor | None = None  # finite steps in a row
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._per_optimizer_states: dict[int, dict[str, Any]] = defaultdict(
            _initial_state
        )

    def scale(self, outputs: Any) -> Any:
        """Multiply tensors, also inside lists and other iterables, by the scale.

        Math: y = s · x

        Raises:
            ValueError: for an argument that is neither a tensor nor an iterable.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            scale = self._scale
            if scale is None:
                scale = self._create_scale(outputs.device)
            return outputs * scale.to(outputs.device)
        if not isinstance(outputs, Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = map(self.scale, outputs)
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(scaled)
        return scaled

    def _create_scale(self, device: Any) -> Tensor:
        scale = full((), self._init_scale, dtype=float32, device=device)
        self._scale = scale
        self._growth_tracker = full(
            (), self._init_growth_tracker, dtype=int32, device=device
        )
        return scale

    def _require_scale(self, name: str) -> tuple[Tensor, Tensor]:
        """The scale and the number of finite steps in a row, once they exist.

        Raises:
            AssertionError: before the first `scale`.
        """
        scale, tracker = self._scale, self._growth_tracker
        if scale is None or tracker is None:
            what = "_scale" if scale is None else "_growth_tracker"
            raise AssertionError(f"Attempted {name} but {what} is None.  {TOO_EARLY}")
        return scale, tracker

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients by the scale now, to inspect or clip them.

        Math: g = g / s

        Raises:
            AssertionError: before the first `scale`.
            RuntimeError: if called twice for one step, or after it.
            ValueError: for float16 gradients.
        """
        if not self._enabled:
            return
        scale, _ = self._require_scale("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last "
                "update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = float(np.float32(1 / scale.item()))
        state["found_inf_per_device"] = self._unscale(optimizer, inverse, False)
        state["stage"] = OptState.UNSCALED

    def _unscale(self, optimizer: Any, inverse: float, halves: bool) -> dict[Any, Any]:
        """Multiply all gradients; for each device, 1 if one was infinite or nan."""
        found: dict[Any, Tensor] = {}
        grads = [p.grad for group in optimizer.param_groups for p in group["params"]
                 if p.grad is not None]  # fmt: skip
        if not halves and any(g.dtype is float16 for g in grads):
            raise ValueError("Attempting to unscale FP16 gradients.")
        with no_grad():
            for g in grads:
                values = g._values() if g.is_sparse else g
                if g.device not in found:
                    found[g.device] = full((), 0.0, dtype=float32, device=g.device)
                if not bool(values.isfinite().all()):
                    found[g.device].fill_(1.0)
                if inverse != 1:
                    values.mul_(inverse)
        return found

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Unscale unless that was done, then call `optimizer.step` if all is finite.

        Raises:
            AssertionError: before the first `scale`, or if there is no gradient.
            RuntimeError: if called twice before `update`, or with a closure.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError(
                "Closure use is not currently supported if GradScaler is enabled."
            )
        self._require_scale("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError(
                "step() has already been called since the last update()."
            )
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            return self._step_with_grad_scale(optimizer, state, args, kwargs)
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = None
        if not any(found.item() for found in state["found_inf_per_device"].values()):
            result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _step_with_grad_scale(
        self, optimizer: Any, state: dict[str, Any], args: Any, kwargs: Any
    ) -> Any:
        """Step an optimizer that unscales gradients itself: it receives the scale."""
        scale, _ = self._require_scale("step")
        own = getattr(optimizer, "grad_scale", None)
        if state["stage"] is OptState.READY:
            state["found_inf_per_device"] = self._unscale(optimizer, 1.0, True)
            own = scale if own is None else scale * own
        parts = [t.to(scale.device) for t in state["found_inf_per_device"].values()]
        optimizer.grad_scale, optimizer.found_inf = own, sum(parts)
        try:
            return optimizer.step(*args, **kwargs)
        finally:
            state["stage"] = OptState.STEPPED
            del optimizer.grad_scale, optimizer.found_inf

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Reduce the scale if a step was skipped; raise it after enough finite ones.

        Args:
            new_scale: the scale to set instead.

        Raises:
            AssertionError: before the first `scale` or `step`, or for a `new_scale`
                that is neither a float nor a tensor of one element on the scaler's type
                of device.
        """
        if not self._enabled:
            return
        scale, good = self._require_scale("update")
        if new_scale is not None:
            self._set(scale, new_scale)
        else:
            found = [t for state in self._per_optimizer_states.values()
                     for t in state["found_inf_per_device"].values()]  # fmt: skip
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(scale, good, any(t.item() for t in found))
        self._per_optimizer_states = defaultdict(_initial_state)

    def _adapt(self, scale: Any, good: Any, overflowed: bool) -> None:
        if overflowed:
            scale.fill_(scale.item() * self._backoff_factor)
            good.fill_(0)
            return
        good += 1
        if good.item() == self._growth_interval:
            grown = float(np.float32(scale.item() * self._growth_factor))
            if math.isfinite(grown):
                scale.fill_(grown)
            good.fill_(0)

    def _set(self, scale: Any, new_scale: Any) -> None:
        if isinstance(new_scale, float):
            scale.fill_(new_scale)
            return
        fits = (
            new_scale.device.type == self._device
            and new_scale.numel() == 1
            and not new_scale.requires_grad
        )
        if not fits:
            raise AssertionError(
                "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                "torch.FloatTensor with requires_grad=False."
            )
        scale.copy_(new_scale)

    def get_scale(self) -> float:
        """The scale; 1.0 if the scaler is not enabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        good = self._growth_tracker
        return self._init_growth_tracker if good is None else int(good.item())

    def get_growth_factor(self) -> float:
        """The factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """The factor by which the scale is reduced."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale is reduced."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """The number of finite steps in a row after which the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set the number of finite steps after which the scale grows."""
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether this scaler does anything."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors, interval and number of finite steps; empty if disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the result of `state_dict`.

        Raises:
            RuntimeError: if it is empty.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a "
                "disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        if self._scale is not None:
            self._create_scale(self._scale.device)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an "
                    "iteration, or at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state
