"""Function: user-defined operations, with forward and backward.

`forward` and `backward` are static methods on tensors and share a context, `ctx`; see
`context.py`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from .. import events
from ..tensor.tensor import Tensor, wrap
from . import batched_tensor as vmapped
from .active_transforms import active
from .batched_tensor import any_batched
from .context import FunctionCtx, FunctionNode
from .dispatch import Op, record
from .function_outputs import record_outputs
from .modes import set_grad

__all__ = ["Function", "FunctionCtx", "FunctionNode", "once_differentiable"]


NO_SETUP_CONTEXT = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, "
    "jacrev, ...), it must override the setup_context staticmethod. For more details, "
    "please see https://pytorch.org/docs/main/notes/extending.func.html"
)


class Function:
    """Base class of operations with a hand-written backward.

    Example:
        >>> import edutorch as torch
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * g
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> Square.apply(x).backward()
        >>> x.grad
        tensor(6.)
    """

    generate_vmap_rule = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: use `apply` of the class.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. "
            "Please use new-style autograd function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html"
            "#torch.autograd.Function)"
        )

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the result from tensors; override this."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Gradients of the inputs from those of the outputs; override this."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The tangents of the outputs, from those of the inputs; for forward mode."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use "
            "it with forward mode AD."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save for backward here instead of in `forward`, which then gets no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Run on a batch; return the outputs and their batch dimensions."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap "
            "staticmethod or set generate_vmap_rule=True."
        )

    @classmethod
    def overrides(cls, name: str) -> bool:
        """Whether the user has written a method of this name."""
        return getattr(cls, name) is not getattr(Function, name)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward` and record the node."""
        apart = cls.overrides("setup_context")
        if active.stack and not apart:
            raise vmapped.forbid_fallback(RuntimeError(NO_SETUP_CONTEXT))
        if kwargs or apart:
            args, kwargs = _bind_arguments(cls.forward, apart, args, kwargs), {}
        if active.stack and any_batched(args):
            return vmapped.run_function(cls, args, kwargs)
        started = events.clock() if events.active else 0
        ctx = FunctionCtx()
        node = FunctionNode(cls, ctx)
        ctx.needs_input_grad = tuple(
            [isinstance(a, Tensor) and a._requires_grad for a in args]
        )
        enabled = set_grad(False)
        try:
            if apart:
                result = cls.forward(*args)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        finally:
            set_grad(enabled)
        return record_outputs(node, args, result, started)


def _bind_arguments(
    forward: Any, apart: bool, args: Any, kwargs: Any
) -> tuple[Any, ...]:
    """All arguments by position, of a forward without `ctx` with the defaults, too.

    Raises:
        TypeError: if they do not fit.
    """
    if apart:
        bound = _signature(forward).bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    return _named_by_position(forward, args, kwargs) if kwargs else args


def _named_by_position(forward: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """Add arguments that are given by name; those between them are given, too."""
    code = forward.__code__
    names = code.co_varnames[1 : code.co_argcount]  # without `ctx`
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if names.index(name) < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    last = max(map(names.index, kwargs))
    for place in range(len(args), last):
        if names[place] not in kwargs:
            raise TypeError(
                f"forward() missing required argument: '{names[place]}' (position "
                f"{place})"
            )
    return (*args, *[kwargs[name] for name in names[len(args) : last + 1]])


_signature = functools.lru_cache(256)(inspect.signature)


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a `backward` that must not itself be differentiated.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.autograd.function import once_differentiable
        >>> once_differentiable(lambda ctx, g: g).__name__
        '<lambda>'
    """

    @functools.wraps(backward)
    def once(ctx: Any, *gradients: Any) -> Any:
        recording = set_grad(False)
        try:
            results = backward(ctx, *gradients)
        finally:
            set_grad(recording)
        if recording and any(
            isinstance(g, Tensor) and g._requires_grad for g in gradients
        ):
            results = results if isinstance(results, tuple) else (results,)
            return tuple(_forbid_double_backward(r, gradients) for r in results)
        return results

    return once


def _forbid_double_backward(result: Any, gradients: tuple[Any, ...]) -> Any:
    """A result that depends on the gradients in an unknown way."""
    if not isinstance(result, Tensor):
        return result
    out = wrap(result._data, result._device)
    record(_Once(), gradients, (out,), False)
    return out


class _Once(Op):
    """The end of what can be differentiated."""

    forward_in_single = False
    backward_in_single = False
    saves = ()

    def forward(self, x: Any) -> Any:
        return x

    def backward(self, g: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with "
            "@once_differentiable"
        )
