"""Tracked inputs and the backward pass that the derivative transforms share.

A transform runs the function on copies of its inputs that begin their own graph
(`Tracked`). `vector_jacobian_product` takes gradients back through that graph. The pass
is itself recorded only if something outside of the graph could need a derivative, as
with nested transforms or parameters that require grad.

Inside `vmap` inputs get a value for each sample, and the pass runs on the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..autograd.active_transforms import running
from ..autograd.api import batched_grad, grad
from ..autograd.batched_tensor import Batched, active_vmaps, batched
from ..autograd.dispatch import apply1
from ..autograd.forward_ad import depends_on_other_leaves
from ..autograd.inference import outside_inference
from ..autograd.inplace import alias_with_history
from ..autograd.modes import enable_grad, is_grad_enabled
from ..autograd.saved_tensors import Restored
from ..ops.create import zeros_like
from ..ops.shape import movedim
from ..tensor.pytree import flatten, tree_map, unflatten
from ..tensor.tensor import Tensor
from .batched_dispatch import expand_to_levels

__all__ = ["Tracked", "vector_jacobian_product"]


class Tracked:
    """Inputs of a function, each at the beginning of a graph.

    Args:
        tree: the inputs.
        writable: whether the function may change them in place, which PyTorch lets it
            in forward mode only.

    Attributes:
        tree: the inputs as the function takes them.
        values: the same, unbatched: with the dimensions of the enclosing vmaps.
        levels: the levels of those vmaps.
        leaf_ids: the ids of the leaves created here.
    """

    def __init__(self, tree: Any, writable: bool = True) -> None:
        self.levels = tuple(active_vmaps.sizes)
        self.leaf_ids: set[int] = set()
        self.running = [True]  # shared with the leaves, which must not refer to self
        self.leaves: list[Tensor] = []  # alive, so that `leaf_ids` stay valid
        self.values: list[Tensor] = []
        tensors, structure = flatten(tree)
        with outside_inference():
            self.tensors = [self._track(t, writable) for t in tensors]
        self.tree = unflatten(self.tensors, structure)
        self.structure = structure

    def _track(self, t: Any, writable: bool) -> Tensor:
        if not isinstance(t, Tensor):
            raise ValueError(
                f"Thing passed to transform API must be Tensor, got {type(t)}"
            )
        value = expand_to_levels(t, self.levels)
        if not (value.requires_grad and is_grad_enabled()):
            value = self.new_leaf(value)
        with enable_grad():
            begin = Restored()
            begin.begins_graph = not writable
            value = apply1(begin, value)
        self.values.append(value)
        return batched(
            alias_with_history(value), self.levels
        )  # in-place changes leave `values`

    def new_leaf(self, value: Tensor) -> Tensor:
        """The same values as a leaf of this graph."""
        made: Any = value.detach()
        made._inference = False  # a transform tracks what autograd may not
        made.requires_grad_()
        made._transform_runs = self.running
        self.leaves.append(made)
        self.leaf_ids.add(id(made))
        return made

    def call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Run the function; its leaves may be differentiated meanwhile."""
        try:
            nodes = {id(v.grad_fn) for v in self.values}
            with outside_inference(), enable_grad(), running(nodes):
                return func(*args, **kwargs)
        finally:
            self.running[0] = False

    def unbatched(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Tensors as ordinary ones, with the dimensions of the enclosing vmaps."""
        return [expand_to_levels(t, self.levels) for t in tensors]

    def needs_recording(self, tensors: Sequence[Tensor]) -> bool:
        """Whether what is computed from these tensors has to be recorded.

        Only if something other than our inputs could need derivatives.
        """
        values = [t._value if type(t) is Batched else t for t in tensors]
        return depends_on_other_leaves(values, self.leaf_ids)

    def release(self, tree: Any) -> Any:
        """Results without this graph, unless an outer one needs them."""

        def detach_if_local(t: Any) -> Any:
            if not isinstance(t, Tensor) or not t.requires_grad:
                return t
            return t if self.needs_recording([t]) else t.detach()

        return tree_map(detach_if_local, tree)

    def as_batched(self, value: Tensor) -> Tensor:
        """An ordinary tensor as the function sees it."""
        return batched(value, self.levels)


def vector_jacobian_product(
    tracked: Tracked,
    outs: Sequence[Tensor],
    ins: Sequence[Tensor],
    cotangents: Sequence[Tensor],
    *,
    create: bool,
    retain: bool = True,
) -> list[Tensor]:
    """Gradients of ordinary tensors `ins` from those of `outs`; zeros where unused.

    Cotangents may differ from sample to sample at vmaps that began after tracking did:
    then the pass runs on batched gradients.
    """
    pairs = [(o, c) for o, c in zip(outs, cotangents, strict=True) if o._requires_grad]
    inner = sorted({level for _, c in pairs for level in getattr(c, "_levels", ())}
                   - set(tracked.levels))  # fmt: skip
    given = [_to_inner_levels(c, tracked.levels, tuple(inner)) for _, c in pairs]
    found: Sequence[Any] = [None] * len(ins)
    roots = [o for o, _ in pairs]
    with outside_inference():
        if pairs and inner and not create:
            found = batched_grad(roots, ins, given)
        elif pairs:
            found = grad(
                roots, list(ins), given, retain_graph=retain or create,
                create_graph=create, allow_unused=True,
            )  # fmt: skip
        results = []
        for g, x in zip(found, ins, strict=True):
            g = zeros_like(x.detach()) if g is None else g
            g = g if create else g.detach()
            results.append(_to_outer_levels(g, tracked.levels, tuple(inner)))
    return results


def _to_inner_levels(
    c: Tensor, outer: tuple[int, ...], inner: tuple[int, ...]
) -> Tensor:
    """A cotangent with its outer levels unhidden and its inner levels hidden."""
    value = expand_to_levels(c, (*outer, *inner))
    if outer and inner:
        k, n = len(outer), len(inner)
        value = movedim(value, tuple(range(k, k + n)), tuple(range(n)))
    return batched(value, inner)


def _to_outer_levels(
    g: Tensor, outer: tuple[int, ...], inner: tuple[int, ...]
) -> Tensor:
    """A gradient of an input as the function's caller sees it."""
    value = expand_to_levels(g, inner)
    if outer and inner:
        k, n = len(outer), len(inner)
        value = movedim(value, tuple(range(n)), tuple(range(k, k + n)))
    return batched(value, (*outer, *inner))
