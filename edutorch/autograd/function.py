"""Function: user-defined operations, with forward and backward.

`forward` and `backward` are static methods on tensors and share a context, `ctx`; see
`context.py`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from .. import events, op_events
from ..tensor.tensor import Tensor, wrap
from . import batched_tensor as vmapped
from .active_transforms import active
from .batched_tensor import any_batched
from .context import FunctionCtx, FunctionNode
from .dispatch import Op, apply1, record
from .inplace import rebase_history
from .modes import modes, set_grad
from .saved_tensor_hooks import pack
from .views import link_view

__all__ = [
    "Function", "FunctionCtx", "FunctionNode", "link_returned_input",
    "once_differentiable",
]  # fmt: skip


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
        return _record_outputs(node, ctx, args, result, started)


def _bind_arguments(
    forward: Any, apart: bool, args: Any, kwargs: Any
) -> tuple[Any, ...]:
    """All arguments by position, with the defaults of those that are left out.

    Raises:
        TypeError: if they do not fit.
    """
    bound = _signature(forward).bind(*(args if apart else (None, *args)), **kwargs)
    bound.apply_defaults()
    return bound.args[0 if apart else 1 :]


_signature = functools.lru_cache(256)(inspect.signature)


def _record_outputs(
    node: FunctionNode, ctx: FunctionCtx, args: Any, result: Any, started: int
) -> Any:
    """Attach the results to the graph."""
    _check_marks(ctx)
    several = isinstance(result, (tuple, list))
    given = tuple(result) if several else (result,)
    if any(all(d is not g for g in given) for d in ctx.dirty_tensors):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned "
            "as output. The inputs that are modified inplace must all be outputs of "
            "the Function."
        )
    outs = tuple([_output_tensor(ctx, args, out) for out in given])
    if node.function.overrides("jvp"):
        node.likes = tuple([_tensor_spec(a) for a in args])
    _connect_node(node, ctx, args, outs, several)
    ctx._entries = tuple([_saved_entry(node, t, given, outs) for t in ctx.to_save])
    ctx.to_save = ()
    if started and all(isinstance(o, Tensor) for o in outs):
        op_events.announce_op(node, args, outs, started)
    if not several:
        return outs[0]
    return outs if isinstance(result, tuple) else list(outs)


def _check_marks(ctx: FunctionCtx) -> None:
    """Only tensors can be saved and marked."""
    for i, t in enumerate(ctx.to_save):
        if t is not None and not isinstance(t, Tensor):
            raise TypeError(
                "save_for_backward can only save variables, but argument "
                f"{i} is of type {type(t).__name__}"
            )
    for i, t in enumerate(ctx.dirty_tensors):
        if not isinstance(t, Tensor):
            raise RuntimeError(
                f"mark_dirty can only accept variables, but argument {i} is of type "
                f"{type(t).__name__}"
            )
        if modes.grad and t._requires_grad and t.grad_fn is None:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place "
                "operation."
            )
    for t in ctx.non_differentiable:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                "mark_non_differentiable only accepts variable arguments, but got "
                f"{type(t).__name__}"
            )


def _output_tensor(ctx: FunctionCtx, args: tuple[Any, ...], out: Any) -> Any:
    """A result that may carry history: inputs returned unchanged become views."""
    if not isinstance(out, Tensor):
        return out
    if any(out is d for d in ctx.dirty_tensors):
        out.untyped_storage().version += 1
        return out
    if any(out is a for a in args):
        recording = set_grad(False)
        try:
            return apply1(Unchanged(), out)
        finally:
            set_grad(recording)
    if out._grad_fn is not None:
        tensor = wrap(out._data)
        tensor._device, tensor._storage = out._device, out.untyped_storage()
        return tensor
    return out


class Unchanged(Op):
    """An input that `forward` returns as it is.

    Math: y = x      ∂L/∂x = g
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()
    is_view = True

    def forward(self, x: Any) -> Any:
        return x[...]

    def backward(self, g: Any) -> Any:
        return g


def link_returned_input(given: Tensor, out: Tensor, several: bool) -> None:
    """Make a result a view of the input that it is, which cannot be changed in place.

    Args:
        several: whether the function has several results with gradients.
    """
    step = Unchanged()
    link_view(step, given, out)
    step.creation_mode = "functions" if several else "function"


def _connect_node(
    node: FunctionNode,
    ctx: FunctionCtx,
    args: tuple[Any, ...],
    outs: tuple[Any, ...],
    several: bool,
) -> None:
    tensors = tuple([o for o in outs if isinstance(o, Tensor)])
    if not tensors or not (any(ctx.needs_input_grad) and modes.grad):
        return
    operands = tuple([a if isinstance(a, Tensor) else None for a in args])
    views = [o for o in tensors if o._base is not None and _is_in(o, ctx.dirty_tensors)]
    record(node, operands, tensors, several)
    node.inputs = None
    node.tensors = tuple([isinstance(a, Tensor) for a in args])
    if len(tensors) < len(outs):
        count = iter(range(len(outs)))
        node.slots = tuple(
            [next(count) if isinstance(o, Tensor) else None for o in outs]
        )
    for out in tensors:
        if _is_in(out, ctx.non_differentiable):
            out._requires_grad, out._grad_fn, out._output_nr = False, None, 0
    for view in views:
        rebase_history(view, view)
    for out in tensors:
        if out._base is not None and not _is_in(out, ctx.dirty_tensors):
            step = out._views[-1]
            op = getattr(step, "op", step)
            op.creation_mode = "functions" if several else "function"


def _tensor_spec(value: Any) -> Any:
    """The shape, dtype and device of a tensor, for zeros like it."""
    if not isinstance(value, Tensor):
        return None
    return value._data.shape, value._data.dtype, value._device


def _is_in(t: Any, tensors: tuple[Any, ...]) -> bool:
    return any(t is other for other in tensors)


def _saved_entry(
    node: FunctionNode, t: Any, given: tuple[Any, ...], outs: tuple[Any, ...]
) -> tuple[Any, int, int]:
    """A saved tensor, its version, and its number if it is an output."""
    if t is None:
        return None, 0, -1
    for nr, (g, o) in enumerate(zip(given, outs, strict=True)):
        if t is g or t is o:
            if modes.saved_hooks:
                return pack(t, node if o._requires_grad else None, nr), 0, -1
            detached = wrap(t._data)
            detached._device, detached._storage = t._device, t.untyped_storage()
            return detached, t._version, nr if o._requires_grad else -1
    if modes.saved_hooks:
        edge = (t.grad_fn or t) if t._requires_grad else None
        return pack(t, edge, t._output_nr), 0, -1
    return t, t._version, -1


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
