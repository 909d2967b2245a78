"""The results of a user's Function: their history, and what may be marked and saved."""

from __future__ import annotations

import warnings
from typing import Any

from .. import op_events
from ..tensor.tensor import Tensor, wrap
from .context import FunctionCtx, FunctionNode
from .dispatch import Op, apply1, record
from .inplace import rebase_history
from .modes import modes, set_grad
from .saved_tensor_hooks import pack
from .views import link_view

__all__ = ["link_returned_input", "record_outputs"]

CHANGED_VIEW = (
    "If your Function modifies inplace an input that is a view of another Tensor, your "
    "Function cannot return more than one Tensor. This is not supported by the current "
    "autograd engine. You should either make sure the input is not a view (using "
    ".clone() for example) or make your Function only return one Tensor (potentially "
    "splitting it into two Functions: one doing the inplace that returns a single "
    "Tensor and a second one that does the other operations). You can ask on the forum "
    "https://discuss.pytorch.org/ if you need help to do this change."
)


def record_outputs(
    node: FunctionNode, args: tuple[Any, ...], result: Any, started: int
) -> Any:
    """Attach the results of a Function to the graph.

    Only a tuple is several results; a list, like anything else that is not a tensor, is
    returned as it is, and what it holds has no history.

    Raises:
        RuntimeError: if other things than tensors are marked, if an input that was
            changed in place is not returned, or cannot get another history.
        TypeError: if other things than tensors are saved.
    """
    ctx = node.ctx
    recorded = modes.grad and any(ctx.needs_input_grad)
    several = isinstance(result, tuple)
    given = result if several else (result,)
    _check_marks(ctx)
    outs = tuple(
        [_output_tensor(node, args, out, recorded, len(given) > 1) for out in given]
    )
    _check_changed_returned(ctx, given)
    if node.function.overrides("jvp"):
        node.likes = tuple([_tensor_spec(a) for a in args])
    if recorded:
        _check_saved(ctx)
        _connect_node(node, args, given, outs, several)
        ctx._entries = tuple([_saved_entry(node, t, given, outs) for t in ctx.to_save])
    ctx.to_save = ()
    if started and all(isinstance(o, Tensor) for o in outs):
        op_events.announce_op(node, args, outs, started)
    return outs if several else outs[0]


def _check_marks(ctx: FunctionCtx) -> None:
    """Only tensors can be marked; those that were changed count the change."""
    for t in ctx.non_differentiable:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                "mark_non_differentiable only accepts variable arguments, but got "
                f"{type(t).__name__}"
            )
    for i, t in enumerate(ctx.dirty_tensors):
        if not isinstance(t, Tensor):
            raise RuntimeError(
                f"mark_dirty can only accept variables, but argument {i} is of type "
                f"{type(t).__name__}"
            )
        t.untyped_storage().version += 1


def _check_changed_returned(ctx: FunctionCtx, given: tuple[Any, ...]) -> None:
    """The results must contain what was changed in place."""
    if ctx.dirty_tensors and not all(_is_in(t, given) for t in ctx.dirty_tensors):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned "
            "as output. The inputs that are modified inplace must all be outputs of "
            "the Function."
        )


def _check_saved(ctx: FunctionCtx) -> None:
    """Only tensors can be saved."""
    for i, t in enumerate(ctx.to_save):
        if t is not None and not isinstance(t, Tensor):
            raise TypeError(
                "save_for_backward can only save variables, but argument "
                f"{i} is of type {type(t).__name__}"
            )


def _output_tensor(
    node: FunctionNode, args: tuple[Any, ...], out: Any, recorded: bool, several: bool
) -> Any:
    """A result that may carry history, or must not.

    Args:
        recorded: whether the node is recorded.
        several: whether there are other results.
    """
    if not isinstance(out, Tensor):
        return out
    ctx = node.ctx
    dirty, given = _is_in(out, ctx.dirty_tensors), _is_in(out, args)
    if recorded and given and not dirty:
        _refuse_saved_input(node, out)
    recorded = recorded and _has_gradient(ctx, out)
    if recorded and dirty:
        _check_changed(out, given, several)
        return out
    if not recorded and out._requires_grad:
        out = out.detach() if given else _without_history(out)
    elif given and not dirty:
        recording = set_grad(False)
        try:
            out = apply1(Unchanged(), out)
        finally:
            set_grad(recording)
    elif out._grad_fn is not None:
        out = _without_history(out)
    if out._base is not None and not (given and dirty):
        _creator(out).creation_mode = "function"
    return out


def _has_gradient(ctx: FunctionCtx, out: Tensor) -> bool:
    return out._data.dtype.kind in "fcVW" and not _is_in(out, ctx.non_differentiable)


def _without_history(out: Tensor) -> Tensor:
    tensor = wrap(out._data)
    tensor._device, tensor._storage = out._device, out.untyped_storage()
    return tensor


def _creator(view: Tensor) -> Any:
    """The last step to a view, which says how it was made."""
    step = view._views[-1]
    return getattr(step, "op", step)


def _check_changed(out: Tensor, given: bool, several: bool) -> None:
    """An input that was changed in place: it must be able to get another history."""
    if out._requires_grad and out.grad_fn is None:
        raise RuntimeError(
            "a leaf Variable that requires grad has been used in an in-place operation."
        )
    if not given:
        warnings.warn(
            "ctx.mark_dirty() received a tensor that was not an input. Only input "
            "Tensors that have been mutated should be passed to ctx.mark_dirty().",
            stacklevel=6,
        )
    base = out._base
    if base is None:
        return
    if several:
        raise RuntimeError(CHANGED_VIEW)
    if (base._requires_grad or out._requires_grad) and base.is_leaf:
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place "
            "operation."
        )


def _refuse_saved_input(node: FunctionNode, out: Tensor) -> None:
    """Refuse to save an input that is a result: `setup_context` sees no result yet."""
    if node.function.overrides("setup_context") and _is_in(out, node.ctx.to_save):
        raise RuntimeError(
            "A input that has been returned as-is as output is being saved for "
            "backward. This is not supported if you override setup_context. You should "
            "return and save a view of the input instead, e.g. with x.view_as(x) or "
            "setup ctx inside the forward function itself."
        )


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
    args: tuple[Any, ...],
    given: tuple[Any, ...],
    outs: tuple[Any, ...],
    several: bool,
) -> None:
    """Make the node that of the results, and of inputs that were changed in place.

    Args:
        given: what the user's `forward` returned, which may be marked.
        several: whether it returned a tuple.
    """
    tensors = [o for o in outs if isinstance(o, Tensor)]
    if not tensors:
        return
    ctx, results = node.ctx, tensors
    if ctx.dirty_tensors:
        results = [_without_history(o) if _is_in(o, ctx.dirty_tensors) else o
                   for o in tensors]  # fmt: skip
    operands = tuple([a if isinstance(a, Tensor) else None for a in args])
    record(node, operands, tuple(results), several)
    _describe_node(node, args, given, len(tensors))
    named = [g for g in given if isinstance(g, Tensor)]
    kept = [_has_gradient(ctx, g) for g in named]
    for out, made, keep in zip(tensors, results, kept, strict=True):
        if not keep:
            made._requires_grad, made._grad_fn, made._output_nr = False, None, 0
        elif made is not out:  # it was changed in place
            out._seen = -1  # its history is that of its base
            rebase_history(out, made)
        elif out._base is not None and sum(kept) > 1:
            _creator(out).creation_mode = "functions"


def _describe_node(
    node: FunctionNode, args: tuple[Any, ...], given: tuple[Any, ...], count: int
) -> None:
    """Note which inputs and which results are tensors, of which there are `count`."""
    node.inputs = None
    node.tensors = tensors = tuple([isinstance(a, Tensor) for a in args])
    if not all(tensors):
        node.constants = tuple([i for i, is_one in enumerate(tensors) if not is_one])
    if node.likes:
        node.moves = tuple(
            [isinstance(g, Tensor) and _has_gradient(node.ctx, g) for g in given]
        )
    if count < len(given):
        places = iter(range(count))
        node.slots = tuple(
            [next(places) if isinstance(g, Tensor) else None for g in given]
        )


def _tensor_spec(value: Any) -> Any:
    """The shape, dtype and device of a tensor, for zeros like it."""
    if not isinstance(value, Tensor):
        return None
    return value._data.shape, value._data.dtype, value._device


def _is_in(t: Any, tensors: tuple[Any, ...]) -> bool:
    for other in tensors:  # noqa: SIM110 (faster than `any`)
        if t is other:
            return True
    return False


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
