"""`saved_tensors_hooks`: user hooks on values that nodes save for backward.

While hooks are active, dispatch passes every recorded node to `pack_saved`, which
passes each saved value to the user's `pack` and stores only the result. In backward,
`restore_saved` calls the user's `unpack`, which turns each of them back into a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..devices import device
from ..tensor.tensor import Tensor, bare_tensor, wrap
from .foreign_operands import call_user
from .modes import count_special_mode, modes, set_grad
from .node import Op

__all__ = [
    "COPYING_HOOKS", "OWN_OUTPUT", "Hooks", "PackedTensor", "PackedValues", "pack",
    "pack_saved", "pop_hooks", "push_hooks", "refuse_hooks",
]  # fmt: skip

Hooks = tuple[Callable[[Tensor], Any], Callable[[Any], Tensor]]


def _detached_copy(t: Tensor) -> Any:
    return t.detach().clone()  # attached by ops


def _identity(t: Tensor) -> Tensor:
    return t


# Those of forward mode, which no program sees.
COPYING_HOOKS: Hooks = (_detached_copy, _identity)


def refuse_hooks(message: str) -> None:
    """Raise if hooks of the program are active.

    Raises:
        RuntimeError: with this message.
    """
    if any(hooks is not COPYING_HOOKS for hooks in modes.saved_hooks):
        raise RuntimeError(message)


def push_hooks(hooks: Hooks) -> None:
    """Make these hooks the active ones in this thread.

    Raises:
        RuntimeError: inside `disable_saved_tensors_hooks`.
    """
    if modes.hooks_refused is not None and hooks is not COPYING_HOOKS:
        raise RuntimeError(modes.hooks_refused)
    count_special_mode(1)
    if hooks is COPYING_HOOKS:  # those of the program take precedence
        modes.saved_hooks = (hooks, *modes.saved_hooks)
    else:
        modes.saved_hooks = (*modes.saved_hooks, hooks)


def pop_hooks(hooks: Hooks | None = None) -> None:
    """Deactivate the hooks; those of the surrounding block become active again.

    Args:
        hooks: `COPYING_HOOKS` for these, None for the last ones of the program.
    """
    left = list(modes.saved_hooks)
    if left:
        count_special_mode(-1)
        left.pop(-1 if hooks is None else left.index(hooks))
    modes.saved_hooks = tuple(left)


OWN_OUTPUT: Any = (
    "own"  # the place of a node's result, which the node need not hold itself
)


class PackedTensor:
    """One saved value as the hooks packed it, and the place it had in the graph."""

    __slots__ = ("dtype", "edge", "packed", "nr", "shape", "unpack")

    def __init__(self, t: Tensor, edge: Any, nr: int) -> None:
        self.edge, self.nr = edge, nr  # None where no gradient is needed, or OWN
        self.shape, self.dtype = t.shape, t.dtype
        given = modes.saved_hooks[-1][0]
        self.unpack = modes.saved_hooks[-1][1]
        version = t._version
        recording = set_grad(False)
        try:
            self.packed = given(t)
        finally:
            set_grad(recording)
        if edge is OWN_OUTPUT and self.packed is t:  # or the node would hold itself
            self.packed = t.detach()
        if t._version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors "
                "provided as input to pack hook cannot be modified by in-place "
                "operations as this can lead to unexpected side-effects. Please open "
                "an issue if you need to perform in-place operations on the input to "
                "a pack hook."
            )

    def unpacked(self, check_metadata: bool = False) -> Tensor:
        """The tensor that the user's hook returns.

        Args:
            check_metadata: whether shape and dtype must be those of the packed tensor.

        Raises:
            TypeError: if the result is not a tensor.
            RuntimeError: if shape or dtype differ.
        """
        recording = set_grad(False)
        try:
            tensor = call_user(self.unpack, self.packed)
        finally:
            set_grad(recording)
        if not isinstance(tensor, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got "
                f"result of type {type(tensor).__name__}"
            )
        if check_metadata:
            self._check(tensor)
        return tensor

    def _check(self, tensor: Tensor) -> None:
        """Compare with what was packed; indices and masks may have any dtype."""
        if tensor.dtype is not self.dtype and self.dtype.is_floating_point:
            raise RuntimeError(
                f"expected scalar type {self.dtype.short} but found "
                f"{tensor.dtype.short}"
            )
        if tensor.shape != self.shape:
            raise RuntimeError(
                f"Expected the saved tensor to have size {list(self.shape)}; but "
                f"{list(tensor.shape)}, which the unpack hook returned, does not equal "
                "it"
            )


class PackedValues:
    """The packed values saved by a node, stored in its `inputs` and `output`."""

    def __init__(self, inputs: Any, output: Any, saved: Any) -> None:
        self.inputs, self.output, self.saved = inputs, output, saved


def pack(t: Any, edge: Any = None, nr: int = 0) -> Any:
    """A tensor or array packed by the active hooks; other values as they are."""
    if isinstance(t, np.ndarray):
        t = wrap(t)
    return PackedTensor(t, edge, nr) if isinstance(t, Tensor) else t


def _own_output(op: Op, where: device) -> Tensor:
    """What a node has saved of its result, in the result's memory and graph."""
    output: Tensor = bare_tensor(Tensor, op.output, where)
    output._storage = op.output_storage
    output._requires_grad, output._grad_fn = True, op
    return output


def pack_saved(op: Op, out: Tensor) -> None:
    """Replace the saved values of a node by the results of the hooks."""
    inputs = op.inputs
    if inputs is not None:
        edges = op.edges or (None,) * len(inputs)
        packed = [None] * len(inputs)
        for i in op.packs or range(len(inputs)):
            packed[i] = pack(inputs[i], edges[i], op.edge_nrs[i])
        inputs = tuple(packed)
    output = (
        op.output
        if op.output is None
        else pack(_own_output(op, out._device), OWN_OUTPUT)
    )
    saved = op.saved if op.saves_extra else None
    if saved is not None:
        several = type(saved) is tuple
        saved = tuple(map(pack, saved)) if several else pack(saved)
        op.saved = None
    if inputs is not None or output is not None or saved is not None:
        packs = PackedValues(inputs, output, saved)
        op.inputs, op.output, op.output_storage = packs, packs, None
