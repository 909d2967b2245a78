"""Full backward hooks: gates at a module's border, through which gradients pass."""

from __future__ import annotations

import warnings
from typing import Any

from ..autograd.dispatch import Op, apply
from ..autograd.modes import is_grad_enabled
from ..tensor.tensor import Tensor

__all__ = ["Border"]


class Gate(Op):
    """The identity; backward calls the module's hooks where it passes here.

    Math: yi = xi      ∂L/∂xi = gi
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()
    several = True

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "BackwardHookFunctionBackward"

    def forward(self, *arrays: Any) -> Any:
        return tuple(array.view() for array in arrays)

    def backward(self, *gradients: Any) -> Any:
        return gradients


class Border:
    """One call of a module: gates at its inputs and outputs, and the hooks to call.

    Backward meets the gate at the outputs first. It notes the gradients there and
    calls `before`; at the gate of the inputs `after` gets both sides.
    """

    def __init__(self, module: Any, before: list[Any], after: list[Any]) -> None:
        self.module, self.before, self.after = module, before, after
        self.inputs = self.outputs = 0  # how many there are
        self.input_at: list[int] | None = None  # which of them are tensors
        self.output_at: list[int] | None = None
        self.g: tuple[Any, ...] | None = None  # gradients of the outputs

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, behind a gate."""
        self.inputs = len(args)
        passed, self.input_at, gate = _through_gate(args)
        if gate is not None:
            gate.register_hook(self._at_inputs)
        return passed

    def leave(self, result: Any) -> Any:
        """The result, behind a gate."""
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or "
                f"a tuple of Tensors but received {type(result)}",
                stacklevel=4,
            )
            return result
        results = result if isinstance(result, tuple) else (result,)
        self.outputs = len(results)
        passed, self.output_at, gate = _through_gate(results)
        if gate is not None:
            gate.register_hook(self._at_outputs)
        return passed if isinstance(result, tuple) else passed[0]

    def _at_outputs(self, _: Any, g: tuple[Any, ...]) -> Any:
        self.g = _spread(g, self.output_at or [], self.outputs)
        for hook in self.before:
            changed = hook(self.module, self.g)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(self.g):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(changed)}, but expected {len(self.g)}"
                )
            self.g = changed
        passed = tuple(self.g[i] for i in self.output_at)
        if self.input_at is None:
            self._without_inputs()
        return passed

    def _without_inputs(self) -> None:
        """No input needs a gradient, so the hooks are called already at the outputs."""
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to "
            "module outputs since no inputs require gradients. See "
            "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details.",
            stacklevel=2,
        )
        for hook in self.after:
            changed = hook(self.module, (None,) * self.inputs, self.g)
            if changed is not None and any(g is not None for g in changed):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should "
                    "always return None or None for all gradients."
                )
        self.g = None

    def _at_inputs(self, gx: tuple[Any, ...], _: Any) -> Any:
        if self.g is None:  # nothing came through the outputs
            return None
        found = _spread(gx, self.input_at or [], self.inputs)
        for hook in self.after:
            changed = hook(self.module, found, self.g)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(found):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, got "
                    f"{len(changed)}, but expected {len(found)}"
                )
            found = changed
        self.g = None
        return tuple(found[i] for i in self.input_at)


def _through_gate(values: tuple[Any, ...]) -> Any:
    """Values with their tensors behind a gate; which are tensors; the gate, or None."""
    at = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not (is_grad_enabled() and any(values[i].requires_grad for i in at)):
        return values, None, None
    outs = apply(Gate(), *(values[i] for i in at))
    changed = list(values)
    for i, out in zip(at, outs, strict=True):
        if values[i].requires_grad:
            changed[i] = out
    plain = type(values) is tuple
    passed = tuple(changed) if plain else type(values)(*changed)
    return passed, at, next(o.grad_fn for o in outs if o.grad_fn is not None)


def _spread(values: Any, at: list[int], n: int) -> tuple[Any, ...]:
    """Values at their positions among `n`, None elsewhere."""
    spread: list[Any] = [None] * n
    for i, value in zip(at, values, strict=True):
        spread[i] = value
    return tuple(spread)
