"""The context of a user's Function, and its node in the graph.

`forward` and `backward` share a context, `ctx`. The node holds the context. Attributes
that the user sets on `ctx` can be read from the node, but cannot override the node's
own attributes.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .api import grad
from .dispatch import Op
from .foreign_operands import call_user
from .hook_calls import gradient_tensor
from .modes import enable_grad, modes, set_grad
from .saved_tensor_hooks import PackedTensor
from .saved_tensors import SECOND_TIME, refuse_modified, unpack_tensor

__all__ = ["FunctionCtx", "FunctionNode", "forward_mode"]


class FunctionCtx:
    """The data that `forward` passes to `backward`; it accepts any attribute.

    Attributes:
        needs_input_grad: for each input of `forward`, whether its gradient is needed.
    """

    to_save: tuple[Any, ...] = ()
    saved_for_forward: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize_grads = True
    needs_input_grad: tuple[bool, ...] = ()
    _entries: tuple[Any, ...] | None = ()
    _node: Any = None  # a weak reference: the node has the context

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save tensors for backward, which checks that they have not been modified."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Save tensors for `jvp`."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare the inputs that `forward` changed in place; it must return them."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare the outputs that have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing output gradients arrive as zeros (the default) or None.

        Raises:
            TypeError: for anything other than a bool.
        """
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - "
                "got (), but expected (bool)"
            )
        self.materialize_grads = value

    def __getattr__(self, name: str) -> Any:
        node = self._node and self._node()
        what = type(self).__name__ if node is None else node.name()
        raise AttributeError(f"'{what}' object has no attribute '{name}'")

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors saved by `save_for_backward`.

        Raises:
            RuntimeError: after backward has freed them.
        """
        if self._entries is None:
            raise RuntimeError(SECOND_TIME)
        return tuple([self._unpack(entry) for entry in self._entries])

    saved_variables = saved_tensors

    def _entries_for_forward(self) -> tuple[Any, ...] | None:
        """The value of `saved_tensors` in `jvp`."""
        if not self.saved_for_forward:
            return self._entries
        return tuple([(t, 0 if t is None else t._version, -1)
                      for t in self.saved_for_forward])  # fmt: skip

    def _unpack(self, entry: tuple[Any, int, int]) -> Any:
        tensor, version, nr = entry
        if type(tensor) is PackedTensor:
            return unpack_tensor(tensor, graph=True)
        if tensor is None:
            return None
        node = self._node()
        if tensor._version != version:
            what = tensor if nr < 0 else node
            refuse_modified(node, tensor._data, tensor._version, version, what)
        if nr < 0:
            return tensor
        own = wrap(tensor._data)
        own._device, own._storage = tensor._device, tensor._storage
        own._requires_grad, own._grad_fn, own._output_nr = True, node, nr
        return own


class FunctionNode(Op):
    """The node of one application of a `Function`."""

    forward_in_single = False
    backward_in_single = False
    saves_extra = True
    user_defined = True
    tensors: tuple[bool, ...] = ()  # which inputs were tensors
    slots: tuple[Any, ...] | None = None  # for each output, its place among tensors
    moves: tuple[bool, ...] = ()  # which outputs have gradients, if there is a `jvp`
    likes: tuple[Any, ...] = ()  # shape, dtype, device of inputs, if there is a `jvp`

    function: Any  # the class

    def __init__(self, function: Any, ctx: FunctionCtx) -> None:
        self.function, self.ctx = function, ctx
        ctx._node = weakref.ref(self)

    @property
    def saved(self) -> Any:
        """The saved values of the context; None frees them."""
        return self.ctx._entries

    @saved.setter
    def saved(self, value: Any) -> None:
        self.ctx._entries = value

    @property
    def materialize(self) -> bool:
        """Whether missing gradients arrive as zeros."""
        return self.ctx.materialize_grads

    def __getattr__(self, name: str) -> Any:
        if name == "ctx":
            raise AttributeError(name)
        return getattr(self.ctx, name)

    @property
    def public(self) -> str:
        """The class's name."""
        return str(self.function.__name__)

    def name(self) -> str:
        """The class's name with "Backward"."""
        return f"{self.function.__name__}Backward"

    def describe(self) -> str:
        """The class's name."""
        return self.public

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{self.name()} object at {id(self):#x}>"

    def backward(self, *gradients: Any) -> Any:
        """Run the user's backward on tensors, whatever the engine runs on."""
        recording = any(isinstance(g, Tensor) for g in gradients)
        given = [
            g if g is None or isinstance(g, Tensor)
            else gradient_tensor(np.asarray(g) if np.isscalar(g) else g, self.device)
            for g in gradients
        ]  # fmt: skip
        if self.slots is not None:  # None for outputs that are not tensors
            given = [None if i is None else given[i] for i in self.slots]
        before = set_grad(recording)
        try:
            results = call_user(self._formula(), self.ctx, *given)
        finally:
            set_grad(before)
        if not isinstance(results, tuple):
            results = (results,)
        self._check(results)
        results = results[: len(self.needs)]
        return tuple([r if r is None or recording else r._data for r in results])

    def _formula(self) -> Any:
        function = self.function
        if modes.forward:
            return self._transposed
        if function.overrides("vjp"):
            if function.overrides("backward"):
                raise RuntimeError(
                    "Implementing both 'backward' and 'vjp' for a custom Function is "
                    "not allowed. You should only implement one of them."
                )
            return function.vjp
        return function.backward

    def _transposed(self, ctx: Any, *gradients: Any) -> Any:
        """The user's `jvp` as a backward; see Note [Forward mode by two reverse modes].

        `jvp` is linear in the tangents, so its own backward is the product with Jᵀ.
        """
        tangents = [self._tangent(i) for i in range(len(self.likes))]
        entries, ctx._entries = ctx._entries, ctx._entries_for_forward()
        try:
            with enable_grad():
                moved = self.function.jvp(ctx, *tangents)
        finally:
            ctx._entries = entries
        moved = moved if isinstance(moved, tuple) else (moved,)
        self._check_tangents(moved, len(gradients))
        pairs = [(m, g) for m, g in zip(moved, gradients, strict=True)
                 if m is not None and g is not None and m._requires_grad]  # fmt: skip
        inputs = [t for t in tangents if t is not None and t._requires_grad]
        found = iter(
            grad(
                [m for m, _ in pairs], inputs, [g for _, g in pairs],
                create_graph=True, allow_unused=True,
            )
            if pairs else [None] * len(inputs)
        )  # fmt: skip
        return tuple([next(found) if t is not None and t._requires_grad else None
                      for t in tangents])  # fmt: skip

    def _check_tangents(self, moved: tuple[Any, ...], count: int) -> None:
        """Check what `jvp` returned: a tensor like each result, or None."""
        for i, t in enumerate(moved):
            if t is not None and not isinstance(t, Tensor):
                raise RuntimeError(
                    f"expected Variable or None (got {type(t).__name__}) for grad "
                    f"output {i}."
                )
        if len(moved) != count:
            raise RuntimeError(
                "Function's jvp returned an invalid number of forward gradients "
                f"(expected {count} but got {len(moved)})"
            )
        several = type(self.out_dtype) is tuple
        shapes = iter(self.out_shape if several else (self.out_shape,))
        for i, t in enumerate(moved):
            tensor = self.slots is None or self.slots[i] is not None
            shape = next(shapes) if tensor else ()
            if t is None:
                continue
            if not self.moves[i]:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {i}, but  the "
                    "corresponding forward output is not a differentiable Tensor.You "
                    "should return None at that position instead."
                )
            if t._data.shape != shape:
                raise RuntimeError(
                    "Trying to set a forward gradient that has a different size than "
                    "that of the original Tensor, this is not supported. Tensor is of "
                    f"size {list(shape)} while the given forward gradient is of size "
                    f"{list(t._data.shape)}."
                )

    def _tangent(self, i: int) -> Tensor | None:
        """A direction of one input, of which only shape and dtype matter.

        Inputs without a direction get zeros, or None if nothing is to be materialised.
        """
        if self.likes[i] is None:
            return None
        moves = self.edges[i] is not None
        if not (moves or self.ctx.materialize_grads):
            return None
        shape, dtype, device = self.likes[i]
        return wrap(np.zeros(shape, dtype), device).requires_grad_(moves)

    def _check(self, results: tuple[Any, ...]) -> None:
        """Check that each input has one gradient: a tensor for a tensor, or None."""
        count = len(self.needs)
        if len(results) < count or any(r is not None for r in results[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {count}, got {len(results)})"
            )
        for i, r in enumerate(results[:count]):
            if r is None:
                continue
            if not self.tensors[i]:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None "
                    f"at position {i + 1}, but the corresponding forward input was not "
                    "a Variable"
                )
            if not isinstance(r, Tensor):
                raise RuntimeError(
                    f"expected Variable or None (got {type(r).__name__})"
                )
            if self.edges[i] is not None:
                self._check_kind(i, r)

    def _check_kind(self, i: int, gradient: Tensor) -> None:
        """Check that a gradient is real or complex like its input, on its device."""
        edge: Any = self.edges[i]
        if edge.is_op:
            dtype, device = edge.out_dtype, edge.device
            if type(dtype) is tuple:  # several results, perhaps on several devices
                dtype, device = dtype[self.edge_nrs[i]], gradient._device
        else:
            dtype, device = edge._data.dtype, edge._device
        found = gradient._data.dtype.kind
        if found not in "fV" and (found in "cW") != (dtype.kind in "cW"):
            raise RuntimeError(
                "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == "
                "grad_is_complex) to be true, but got false.  (Could this error "
                "message be improved?  If so, please report an enhancement request to "
                "PyTorch.)"
            )
        if gradient._device != device:
            nr = sum(self.tensors[:i])
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {nr} - "
                f"expected device {device} but got {gradient._device}"
            )


@contextmanager
def forward_mode() -> Iterator[None]:
    """In this block a backward pass is half of a JVP, and Functions use their `jvp`."""
    before, modes.forward = modes.forward, True
    try:
        yield
    finally:
        modes.forward = before
