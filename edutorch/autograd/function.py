"""Function: operations whose forward and backward the user writes.

`forward` and `backward` are static methods on tensors and share a context, `ctx`,
which is the graph node itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import events
from ..tensor.tensor import Tensor, wrap
from .modes import modes, set_grad
from .op import Op, record
from .packing import Packed, pack
from .saved import unpacked

__all__ = ["Function", "FunctionCtx", "once_differentiable"]


class FunctionCtx(Op):
    """The context of one application of a `Function`, and its node in the graph."""

    saves_extra = True

    def __init__(self, function: type[Function]) -> None:
        self.function = function
        self._saved_tensors: tuple[Any, ...] = ()
        self.dirty: tuple[Tensor, ...] = ()
        self.non_differentiable: tuple[Tensor, ...] = ()
        self.materialize = True
        self.saved: Any = ()
        self.needs: tuple[bool, ...] = ()

    def name(self) -> str:
        """The class's name with "Backward"."""
        return f"{self.function.__name__}Backward"

    def describe(self) -> str:
        """The class's name."""
        return self.function.__name__

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; their versions are checked there."""
        self._saved_tensors = tensors

    save_for_forward = save_for_backward

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept.

        Raises:
            RuntimeError: after backward has freed them.
        """
        if self.saved is None:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly "
                "access "
                "saved tensors after they have already been freed). Saved intermediate "
                "values of the graph are freed when you call .backward() or "
                "autograd.grad(). Specify retain_graph=True if you need to backward "
                "through the graph a second time or if you need to access saved "
                "tensors after calling backward."
            )
        return tuple(self._unpack(entry) for entry in self.saved)

    saved_variables = saved_tensors

    def _unpack(self, entry: tuple[Any, int, int]) -> Any:
        tensor, version, nr = entry
        if tensor is None:
            return None
        if type(tensor) is Packed:
            return unpacked(tensor, True)
        if tensor._version != version:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been "
                "modified "
                f"by an inplace operation: [{tensor.type()} {list(tensor.shape)}] is "
                "at "
                f"version {tensor._version}; expected version {version} instead. Hint: "
                "enable anomaly detection to find the operation that failed to compute "
                "its gradient, with torch.autograd.set_detect_anomaly(True)."
            )
        if nr < 0:
            return tensor
        own = wrap(tensor._data)
        own._device, own._storage = tensor._device, tensor._storage
        own._requires_grad, own._grad_fn, own._output_nr = True, self, nr
        return own

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs `forward` changed in place; it must return them."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing output gradients arrive as zeros (the default) or None."""
        self.materialize = value

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """For each input of `forward`, whether its gradient is wanted."""
        return self.needs

    def backward(self, *gradients: Any) -> Any:
        """Run the user's backward on tensors, whatever the engine runs on."""
        recording = any(isinstance(g, Tensor) for g in gradients)
        given = [
            g if g is None or isinstance(g, Tensor)
            else wrap(np.asarray(g) if np.isscalar(g) else g, self.device)
            for g in gradients
        ]  # fmt: skip
        before = set_grad(recording)
        try:
            results = self.function.backward(self, *given)
        finally:
            set_grad(before)
        if not isinstance(results, tuple):
            results = (results,)
        self._check_count(results)
        return tuple(
            r if r is None or recording else r._data for r in results[: len(self.needs)]
        )

    def _check_count(self, results: tuple[Any, ...]) -> None:
        extra = results[len(self.needs) :]
        if len(results) < len(self.needs) or any(r is not None for r in extra):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {len(self.needs)}, got {len(results)})"
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

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save for backward here instead of in `forward`, which then gets no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward` and record the node."""
        started = events.clock() if events.active else 0
        ctx = FunctionCtx(cls)
        ctx.needs = tuple(isinstance(a, Tensor) and a._requires_grad for a in args)
        enabled = set_grad(False)
        try:
            if cls.setup_context is not Function.setup_context:
                result = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args, **kwargs)
        finally:
            set_grad(enabled)
        several = isinstance(result, (tuple, list))
        given = tuple(result) if several else (result,)
        outs = tuple(_fresh(ctx, args, o) for o in given)
        _link(ctx, args, outs, several)
        ctx.saved = tuple(_entry(ctx, t, given, outs) for t in ctx._saved_tensors)
        ctx._saved_tensors = ()
        if started and all(isinstance(o, Tensor) for o in outs):
            events.announce_op(ctx, args, outs, started)
        return outs if several else outs[0]


def _fresh(ctx: FunctionCtx, args: tuple[Any, ...], out: Any) -> Any:
    """A result that may carry history: inputs returned unchanged become views."""
    if not isinstance(out, Tensor):
        return out
    if any(out is d for d in ctx.dirty):
        out.untyped_storage().version += 1
        return out
    if any(out is a for a in args) or out._grad_fn is not None:
        tensor = wrap(out._data)
        tensor._device, tensor._storage = out._device, out.untyped_storage()
        return tensor
    return out


def _link(
    ctx: FunctionCtx, args: tuple[Any, ...], outs: tuple[Any, ...], several: bool
) -> None:
    tensors = tuple(o for o in outs if isinstance(o, Tensor))
    if not tensors or not (any(ctx.needs) and modes.grad):
        return
    masks = [any(o is n for n in ctx.non_differentiable) for o in tensors]
    operands = tuple(a if isinstance(a, Tensor) else None for a in args)
    record(ctx, operands, tensors, several)
    ctx.inputs = None
    for out, masked in zip(tensors, masks, strict=True):
        if masked:
            out._requires_grad, out._grad_fn, out._output_nr = False, None, 0


def _entry(
    ctx: FunctionCtx, t: Any, given: tuple[Any, ...], outs: tuple[Any, ...]
) -> tuple[Any, int, int]:
    """A saved tensor, its version, and its number if it is an output."""
    if t is None:
        return None, 0, -1
    for nr, (g, o) in enumerate(zip(given, outs, strict=True)):
        if t is g or t is o:
            if modes.saved_hooks:
                return pack(t, ctx if o._requires_grad else None, nr), 0, -1
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
            return tuple(_no_further(r) for r in results)
        return results

    return once


def _no_further(result: Any) -> Any:
    if not isinstance(result, Tensor):
        return result
    out = wrap(result._data, result._device)
    node = _Once()
    record(node, (result.detach().requires_grad_(),), (out,), False)
    return out


class _Once(Op):
    """The end of what can be differentiated."""

    saves = ()

    def forward(self, x: Any) -> Any:
        return x

    def backward(self, g: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with "
            "@once_differentiable"
        )
