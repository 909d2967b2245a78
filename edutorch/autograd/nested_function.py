"""Functions whose inputs and outputs are nested containers of tensors."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from ..tensor.pytree import broadcast, flatten, format_spec, unflatten
from .function import Function

__all__ = ["NestedIOFunction"]


class NestedIOFunction(Function):
    """Base class of operations on nested tuples, lists and dictionaries of tensors.

    Write `forward_extended(ctx, *inputs)` and `backward_extended(ctx, *gradients)`
    instead of `forward` and `backward`. Both get and return containers: a gradient
    lies where its tensor lies. The graph sees the leaves. In PyTorch the class is left
    over from functions that were objects, and cannot be used any more; here it works
    like any `Function`, through `apply`.

    Math: (y₁, (y₂, ...)) = f(x₁, (x₂, ...))      ∂L/∂xᵢ = Σⱼ gⱼ · ∂yⱼ/∂xᵢ

    Raises:
        RuntimeError: if `backward_extended` gives other containers than there were.

    Example:
        >>> import edutorch as torch
        >>> class Swap(torch.autograd.NestedIOFunction):
        ...     @staticmethod
        ...     def forward_extended(ctx, pair):
        ...         return {"first": pair[1] * 2, "second": pair[0] * 3}
        ...     @staticmethod
        ...     def backward_extended(ctx, g):
        ...         return ((g["second"] * 3, g["first"] * 2),)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.ones(2, requires_grad=True)
        >>> Swap.apply((x, y))["first"].sum().backward()
        >>> x.grad, y.grad
        (tensor([0., 0.]), tensor([2., 2.]))
    """

    @staticmethod
    def forward_extended(ctx: Any, *inputs: Any) -> Any:
        """Compute nested results from nested tensors; override this."""
        raise NotImplementedError

    @staticmethod
    def backward_extended(ctx: Any, *grad_outputs: Any) -> Any:
        """A tuple of the inputs' gradients, nested as they are; override this."""
        raise NotImplementedError

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward_extended` and record the node."""
        leaves, structure = flatten(args)
        call = _Call(cls, structure)
        results = super().apply(call, *leaves, **kwargs)
        return unflatten(results, call.outputs)

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Give the user's forward its containers, and take its results apart."""
        ctx.call, *leaves = args
        inputs = unflatten(leaves, ctx.call.inputs)
        nested = ctx.call.function.forward_extended(ctx, *inputs, **kwargs)
        results, ctx.call.outputs = flatten(nested)
        return tuple(results)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The same with gradients."""
        given = unflatten(grad_outputs, ctx.call.outputs)
        arguments = given if isinstance(given, tuple) else (given,)
        nested = ctx.call.function.backward_extended(ctx, *arguments)
        gradients = nested if isinstance(nested, tuple) else (nested,)
        return None, *ctx.call.like_inputs(gradients)


class _Call:
    """One application: the nested structures of its inputs and outputs."""

    outputs: Any = None

    def __init__(self, function: type[NestedIOFunction], inputs: Any) -> None:
        self.function, self.inputs = function, inputs

    def like_inputs(self, gradients: tuple[Any, ...]) -> list[Any]:
        """A gradient for each leaf of the inputs; None may replace a container."""
        inputs = unflatten(repeat(0), self.inputs)
        found = broadcast(gradients, inputs)
        if found is None:
            raise RuntimeError(
                f"{self.function.__name__}.backward_extended returned gradients "
                f"nested as {format_spec(flatten(gradients)[1])}, but the inputs are "
                f"nested as {format_spec(self.inputs)}; a gradient must lie where its "
                f"input lies"
            )
        return found
