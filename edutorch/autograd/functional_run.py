"""One run of a function to be differentiated: inputs, outputs, checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..backends import backend_of
from ..tensor.tensor import Tensor, wrap
from .api import grad
from .dispatch import Op, apply

__all__ = [
    "INDEPENDENT",
    "STAGES",
    "FunctionCall",
    "zeros_for_none",
    "vector_jacobian_product",
    "vector_jacobian_products",
    "require_dependence",
    "require_recorded",
    "tensors_in",
    "zeros",
]

Tensors = tuple[Tensor, ...]

INDEPENDENT = "This is not allowed in strict mode"
STAGES = {  # what is missing, in PyTorch's words
    "outputs": "Output {i} of the user-provided function does not require gradients. "
    "The outputs must be computed in a differentiable manner from the input when "
    "running in strict mode.",
    "back": f"The output of the user-provided function is independent of input {{i}}. "
    f"{INDEPENDENT}.",
    "back_trick": "The gradient with respect to the input is independent of entry {i} "
    f"in the grad_outputs when using the double backward trick to compute forward mode "
    f"gradients. {INDEPENDENT}.",
    "gradient": "The gradient with respect to input {i} is independent of the inputs "
    f"of the user-provided function. {INDEPENDENT}.",
    "graph": "The jacobian of the user-provided function is independent of input {i}. "
    f"{INDEPENDENT} when create_graph=True.",
    "hessian": "While computing the hessian, found that the jacobian of the "
    "user-provided function with respect to input {i} is independent of the input. "
    f"{INDEPENDENT}. You should ensure that your function is twice differentiable and "
    "that the jacobian depends on the inputs (this would be violated by a linear "
    "function for example).",
    "second": "The hessian of the user-provided function is independent of input {i}. "
    f"{INDEPENDENT} when create_graph=True.",
    "double": "The hessian of the user-provided function is independent of entry {i} "
    f"in the grad_jacobian. {INDEPENDENT} as it prevents from using the double "
    "backward trick to replace forward mode AD.",
}


class FunctionCall:
    """A function's inputs, as leaves of a new graph, and its outputs."""

    def __init__(self, name: str, func: Any, inputs: Any, create_graph: bool) -> None:
        self.name, self.create = name, create_graph
        given, self.several_in = tensors_in(inputs, "inputs", name)
        self.inputs: Tensors = tuple(
            [t.view_as(t) if create_graph and t.requires_grad
             else t.detach().requires_grad_() for t in given]
        )  # fmt: skip
        self.outputs, self.several_out = tensors_in(
            func(*self.inputs), "outputs of the user-provided function", name
        )

    def like_outputs(self, v: Any) -> list[Tensor]:
        """`v`, checked to be like the outputs; 1 for a single number."""
        if v is None:
            if len(self.outputs) != 1 or self.outputs[0].numel() != 1:
                raise RuntimeError(
                    "The vector v can only be None if the user-provided function "
                    "returns a single Tensor with a single element."
                )
            return [zeros(self.outputs[0]) + 1]
        return self._checked(v, self.outputs, self.several_out)

    def like_inputs(self, v: Any) -> list[Tensor]:
        """`v`, checked to be like the inputs; 1 for a single number."""
        if v is None:
            if len(self.inputs) != 1 or self.inputs[0].numel() != 1:
                raise RuntimeError(
                    "The vector v can only be None if the input to the user-provided "
                    "function is a single Tensor with a single element."
                )
            return [zeros(self.inputs[0]) + 1]
        return self._checked(v, self.inputs, self.several_in)

    def _checked(self, v: Any, like: Tensors, several: bool) -> list[Tensor]:
        given, _ = tensors_in(v, "v", self.name)
        if len(given) != len(like):
            if several:
                raise RuntimeError(
                    f"v is a tuple of invalid length: should be {len(like)} but got "
                    f"{len(given)}."
                )
            raise RuntimeError("The given v should contain a single Tensor.")
        for i, (a, b) in enumerate(zip(given, like, strict=True)):
            if a.shape != b.shape:
                which = f"Entry {i} in v" if several else "v"
                raise RuntimeError(
                    f"{which} has invalid size: should be {b.shape} but got {a.shape}."
                )
        return [t if self.create else t.detach() for t in given]

    def check_single(self) -> None:
        """Second derivatives are those of one number."""
        if self.several_out:
            raise RuntimeError(
                f"The function given to {self.name} should return a single Tensor"
            )
        if self.outputs[0].numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {self.name} should "
                "contain a single element"
            )

    def recorded_gradient(self, strict: bool) -> list[Tensor]:
        """The gradient of the one number, recorded."""
        if strict:
            require_dependence(self.outputs, "outputs")
        self.check_single()
        found = vector_jacobian_product(
            self.outputs, self.inputs, [zeros(self.outputs[0]) + 1], True
        )
        if strict:
            require_recorded(found, "hessian")
        return zeros_for_none(found, self.inputs, "back", strict, False)

    def finish(self, tensors: Sequence[Tensor], several: bool) -> Any:
        """Results in the form that the user gave, without history unless it is kept."""
        done = tuple(t if self.create else t.detach() for t in tensors)
        return done if several else done[0]


def tensors_in(value: Any, what: str, name: str) -> tuple[Tensors, bool]:
    """A tuple of tensors, and whether it was one already."""
    several = isinstance(value, tuple)
    for i, t in enumerate(value if several else (value,)):
        if not isinstance(t, Tensor):
            found = f"value at index {i}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of "
                f"Tensors but the {found} has type {type(t)}."
            )
    return (value if several else (value,)), several


def vector_jacobian_product(outs: Any, ins: Any, seeds: Any, create: bool) -> list[Any]:
    """Gradients, None where nothing depends on an input."""
    pairs = [(o, s) for o, s in zip(outs, seeds, strict=True)
             if o is not None and o._requires_grad]  # fmt: skip
    live = [t for t in ins if t._requires_grad]
    if not pairs or not live:
        return [None] * len(ins)
    found = iter(
        grad([o for o, _ in pairs], live, [s for _, s in pairs],
             retain_graph=True, create_graph=create, allow_unused=True)
    )  # fmt: skip
    return [next(found) if t._requires_grad else None for t in ins]


def vector_jacobian_products(
    out: Tensor, ins: Sequence[Tensor], seeds: Tensor, create: bool, together: bool
) -> Sequence[Any]:
    """Gradients for several seeds, stacked; None for inputs without influence.

    Args:
        together: use one pass for all seeds, by `vmap`, instead of one for each.
    """
    if together:
        return grad(out, ins, seeds, True, create, allow_unused=True,
                    is_grads_batched=True)  # fmt: skip
    rows = [grad(out, ins, seed, True, create, allow_unused=True) for seed in seeds]
    return [
        None if column[0] is None else apply(Stack(), *column)
        for column in zip(*rows, strict=True)
    ]


class Stack(Op):
    """Gradients of several passes, along a new first dimension.

    Math: y[i] = xᵢ      ∂L/∂xᵢ = g[i]
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()

    def forward(self, *arrays: Any) -> Any:
        return np.stack(arrays)

    def backward(self, g: Any) -> Any:
        return tuple(g[i] for i in range(len(self.needs)))


def zeros_for_none(
    found: Sequence[Any], like: Any, stage: str, strict: bool, create: bool
) -> list[Tensor]:
    """Zeros for None; in strict mode an error."""
    for i, g in enumerate(found):
        if strict and g is None:
            raise RuntimeError(STAGES[stage].format(i=i))
        if strict and create and not g._requires_grad:
            graph = "second" if stage in ("hessian", "double") else "graph"
            raise RuntimeError(STAGES[graph].format(i=i))
    return [zeros(x) if g is None else g for g, x in zip(found, like, strict=True)]


def require_dependence(tensors: Sequence[Tensor], stage: str) -> None:
    """Refuse tensors that do not depend on the inputs.

    Raises:
        RuntimeError: in the words of `stage`.
    """
    for i, t in enumerate(tensors):
        if not t._requires_grad:
            raise RuntimeError(STAGES[stage].format(i=i))


def require_recorded(gradients: Sequence[Any], stage: str) -> None:
    """Refuse gradients by inputs without influence, and constant ones.

    Raises:
        RuntimeError: for constant ones in the words of `stage`.
    """
    for i, g in enumerate(gradients):
        if g is None or not g._requires_grad:
            raise RuntimeError(STAGES["back" if g is None else stage].format(i=i))


def zeros(t: Tensor, shape: Any = None) -> Tensor:
    """Zeros like a tensor, or of another shape."""
    xp = backend_of(t._device).xp
    dims = t._data.shape if shape is None else shape
    return wrap(xp.zeros(dims, t._data.dtype), t._device)
