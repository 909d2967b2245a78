"""Strided views, and the history of views whose base was changed in place.

After its base has changed, a view's new node is an `AsStrided` of the base, determined
by the view's sizes, strides and offset, however the view was made. The gradient of a
base that was changed through a view (`CopySlices`) works in the same way. Views that
interpret the memory differently, as another dtype or conjugated, are recreated instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends import array_module
from ..tensor.conj_neg_view import in_memory
from ..tensor.geometry import Geometry, out_of_bounds
from ..tensor.tensor import Tensor, bare_tensor
from . import op_errors, views
from .dispatch import Op, apply, apply1, record
from .memory_overlap import refuse_repeated
from .node import NthOutput
from .views import refresh_view

__all__ = ["AsStrided", "CopySlices", "direct_history"]


class AsStrided(Op):
    """The elements of a tensor's storage that shape, strides and offset reach.

    Math: y[i] = storage[offset + i · stride]
          ∂L/∂storage = Σ g over what reaches it
    """

    attributes = ("size", "stride", "offset")
    is_view = True
    saves = ()

    def __init__(
        self, size: tuple[int, ...], stride: tuple[int, ...], offset: int | None
    ) -> None:
        self.size, self.stride, self.offset = size, stride, offset

    def forward(self, x: Any) -> Any:
        self.old_cells = Geometry.of(x)
        offset = self.old_cells.offset if self.offset is None else self.offset
        self.cells = Geometry(self.size, self.stride, offset)
        return self.cells.view_of(x)

    def backward(self, g: Any) -> Any:
        return apply1(AsStridedBackward(self.cells, self.old_cells, self.old_cells), g)


class AsStridedBackward(Op):
    """The gradient of `as_strided`: moves values between layouts of a storage.

    A place of the storage that several elements of the input of `as_strided` share
    (`counted`) gives each of them its part.

    Math: storage[source] = Σ x, y = (storage / number of elements there)[target]
          ∂L/∂x = the same of g, with source and target exchanged
    """

    attributes = ("source", "target", "counted")
    saves = ()

    def __init__(
        self, source: Geometry, target: Geometry, counted: Geometry | None
    ) -> None:
        first = min(source.offset, target.offset)
        self.source = source.at(source.offset - first)
        self.target = target.at(target.offset - first)
        self.counted = counted and counted.at(counted.offset - first)

    def forward(self, x: Any) -> Any:
        xp, source, target = array_module(x), self.source, self.target
        storage = xp.zeros(max(source.reach, target.reach), x.dtype)
        if source.overlapping():
            xp.add.at(storage, source.element_positions(), x)
        else:
            source.view_of(storage)[...] = x
        if self.counted is not None and self.counted.overlapping():
            places = self.counted.element_positions().ravel()
            count = xp.maximum(xp.bincount(places, minlength=storage.size), 1)
            storage /= count[: storage.size].astype(storage.dtype)
        return target.view_of(storage)

    def backward(self, g: Any) -> Any:
        return apply1(AsStridedBackward(self.target, self.source, self.counted), g)


def _apply_views(base: Any, steps: tuple[Any, ...]) -> Any:
    """Walk from a base (tensor or array) to its view by applying the view ops again."""
    for step in steps:
        if step.lazy_bit and isinstance(base, Tensor):
            base = views.run_lazily(step.fresh_copy(), base)
        elif isinstance(step, NthOutput):
            base = apply(step.op.fresh_copy(), base)[step.nr]
        else:
            base = apply1(step.fresh_copy(), base)
            if isinstance(base, np.generic):  # of which there are no views
                base = np.array(base)
    return base


def _same_elements(view: Tensor) -> bool:
    """Whether a view shows elements of its base as they are."""
    base = view._base
    return base is not None and all(step.keeps_elements for step in view._views)


def _placed(base: Any, steps: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """A base and steps that lead to the same view, whatever shape the base has now.

    The steps before the first that reads memory in another way are replaced by where
    its result lay: `t_` and `as_strided_` may have given the base another shape since.
    """
    for count, step in enumerate(steps):
        if not step.keeps_elements:
            if count and step.cells is not None:
                return apply1(AsStrided(*step.cells), base), steps[count:]
            break
    return base, steps


def _with_base_history(view: Tensor) -> Tensor:
    """A substitute for a view, with the history that its base has now."""
    base: Any = view._base
    if not base._requires_grad:  # detached: the node has no edges
        base = base.detach()
        base._requires_grad = True
    steps = view._views
    while steps and steps[-1].keeps_elements:
        if isinstance(steps[-1], AsStrided) and not _same_elements(view):
            steps = steps[:-1]  # elements outside its operand have no history
            break
        steps = steps[:-1]
    base = _apply_views(*_placed(base, steps))
    if len(steps) == len(view._views):
        return base
    node = base._grad_fn
    if isinstance(node, CopySlices) and node.views is view._views and node.view:
        cells, old_cells = node.view, node.base  # it was this view that was changed
    else:
        cells, old_cells = Geometry.of(in_memory(view)), Geometry.of(in_memory(base))
    op = AsStrided(*cells)
    op.cells, op.old_cells = cells, old_cells
    made: Tensor = bare_tensor(Tensor, in_memory(view), view._device)
    record(op, (base,), (made,), False)
    return made


def direct_history(view: Tensor) -> Tensor:
    """A view, or a substitute whose history leads straight to the base.

    `as_strided` of a view can reach beyond that view: a gradient that went back through
    it would lose what lies outside.
    """
    if view._requires_grad and any(
        isinstance(step, AsStrided) for step in view._views[1:]
    ):
        return _with_base_history(view)
    return view


views.replayed = _with_base_history
op_errors.refresh = refresh_view


class CopySlices(Op):
    """A base after one of its views was overwritten with `value`.

    Math: y = base outside the view, value inside
          ∂L/∂base = g outside, 0 inside      ∂L/∂value = g inside
    """

    forward_in_single = False
    backward_in_single = False
    attributes = ("views", "base", "view")
    saves = ()
    torch_name = "CopySlices"
    complex32 = "single"

    def __init__(self, view: Tensor) -> None:
        self.views = view._views
        strided = _same_elements(view)
        self.view = Geometry.of(view._data) if strided else None

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "torch::autograd::CopySlices"

    def forward(self, base: Any, value: Any) -> Any:
        self.base = Geometry.of(base)
        return base  # the memory has already been written

    def backward(self, g: Any) -> Any:
        if self.view is not None:
            self._refuse_outside(g.itemsize)
            refuse_repeated(self.view.shape, self.view.stride)
            gv = apply1(AsStridedBackward(self.base, self.view, None), g)
            return self._outside(g, self.view) if self.needs[0] else None, gv
        if isinstance(g, np.generic):  # of which there are no views
            g = np.array(g)
        gv = _apply_views(g, self.views)
        if not self.needs[0]:
            return None, gv
        places = tuple(step for step in self.views if not step.lazy_bit)
        if isinstance(g, Tensor):
            gb = g.clone()  # attached by ops
            _apply_views(gb, places).zero_()
        else:
            gb = array_module(g).array(g)  # a copy, also of a NumPy scalar
            _apply_views(gb, places)[...] = 0
        return gb, gv

    def _refuse_outside(self, itemsize: int) -> None:
        """Reject a view of memory that the base does not contain (any more).

        Raises:
            RuntimeError: as the view cannot be found in a gradient of the base.
        """
        base, view = self.base, self.view
        if view is not None and view.reach > base.reach and 0 not in view.shape:
            reach = (base.reach - base.offset) * itemsize
            raise out_of_bounds(view.at(view.offset - base.offset), itemsize, reach)

    def _outside(self, g: Any, view: Geometry) -> Any:
        """The gradient with zeros where the view lies."""
        array = g._data if isinstance(g, Tensor) else g
        xp, reach = array_module(array), max(self.base.reach, view.reach)
        if isinstance(g, Tensor):
            inside = xp.zeros(reach, bool)
            view.view_of(inside)[...] = True
            return g.masked_fill(
                bare_tensor(Tensor, self.base.view_of(inside), g._device), 0
            )
        storage = xp.zeros(reach, array.dtype)
        gb = self.base.view_of(storage)
        gb[...] = g
        view.view_of(storage)[...] = 0
        return gb
