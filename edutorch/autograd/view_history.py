"""Strided views, and the history of views whose base was changed in place.

After its base has changed, a view's new node is an `AsStrided` of the base, determined
by the view's sizes, strides and offset, however the view was made. Views that interpret
the memory differently, as another dtype or conjugated, are recreated where their
operands lay, as the base may have another shape since, and as they were made, wherever
the view itself has moved since. The gradient of a base that was changed through a view
(`CopySlices`) is laid out in memory as the base was; the view is found in it by its
dtype, sizes, strides and offset.
"""

from __future__ import annotations

from typing import Any

from ..backends import array_module
from ..tensor.conj_neg_view import in_memory
from ..tensor.geometry import Geometry, out_of_bounds
from ..tensor.tensor import Tensor, bare_tensor
from . import op_errors, views
from .dispatch import Op, apply1, record
from .memory_overlap import refuse_repeated
from .views import refresh_view

__all__ = ["AsStrided", "CopySlices", "direct_history", "keep_place"]


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
        self.operand_geometry = Geometry.of(x)
        offset = self.operand_geometry.offset if self.offset is None else self.offset
        self.geometry = Geometry(self.size, self.stride, offset)
        return self.geometry.view_of(x)

    def backward(self, g: Any) -> Any:
        operand = self.operand_geometry
        return apply1(AsStridedBackward(self.geometry, operand, counted=operand), g)


class AsStridedBackward(Op):
    """The gradient of `as_strided`: moves values between layouts of a storage.

    A place of the storage that several elements of the input of `as_strided` share
    (`counted`) gives each of them its part. The target may be read as another dtype
    (real parts of complex numbers, or pairs as complex numbers).

    Math: storage[source] = Σ x, y = (storage / number of elements there)[target]
          ∂L/∂x = the same of g, with source and target exchanged
    """

    attributes = ("source", "target", "counted", "dtype")
    saves = ()

    def __init__(
        self,
        source: Geometry,
        target: Geometry,
        *,
        counted: Geometry | None = None,
        dtype: Any = None,
    ) -> None:
        first = min(source.offset, target.offset) if dtype is None else 0
        self.source = source.at(source.offset - first)
        self.target = target.at(target.offset - first)
        self.counted = counted and counted.at(counted.offset - first)
        self.dtype = dtype

    def forward(self, x: Any) -> Any:
        xp, source, target = array_module(x), self.source, self.target
        self.old_dtype = self.dtype and x.dtype
        size = (self.dtype or x.dtype).itemsize
        needed = -(-target.reach * size // x.dtype.itemsize)
        storage = xp.zeros(max(source.reach, needed), x.dtype)
        if source.overlapping():
            xp.add.at(storage, source.element_positions(), x)
        else:
            source.view_of(storage)[...] = x
        if self.counted is not None and self.counted.overlapping():
            places = self.counted.element_positions().ravel()
            count = xp.maximum(xp.bincount(places, minlength=storage.size), 1)
            storage /= count[: storage.size].astype(storage.dtype)
        return target.view_of(storage, self.dtype)

    def backward(self, g: Any) -> Any:
        op = AsStridedBackward(
            self.target, self.source, counted=self.counted, dtype=self.old_dtype
        )
        return apply1(op, g)


def _reread(base: Tensor, steps: tuple[Any, ...]) -> Tensor:
    """Recreate the views on the path from a base that read memory in another way.

    Each is made where its operand lay: `t_` and `as_strided_` may have given the base
    another shape since.
    """
    reread = False
    for step in steps:
        if step.keeps_elements and not (reread and isinstance(step, AsStrided)):
            continue  # only `as_strided` loses something: what lies outside its operand
        if step.operand_geometry != Geometry.of(in_memory(base)):
            base = apply1(AsStrided(*step.operand_geometry), base)
        if not step.keeps_elements:
            run = views.run_lazily if step.lazy_bit else apply1
            base, reread = run(step.fresh_copy(), base), True
    return base


class Place(Op):
    """The last step to a view that `t_` or `set_` moved: where it was made."""

    is_view = True

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry


def keep_place(view: Tensor) -> None:
    """Note where a view lies that is about to be moved without becoming another one.

    Only for views that read memory in another way: PyTorch recreates these as they were
    made, and all others where they lie.
    """
    steps = view._views
    if all(step.keeps_elements for step in steps):
        return
    if steps[-1].keeps_elements and not isinstance(steps[-1], Place):
        view._views = (*steps, Place(Geometry.of(in_memory(view))))


def _replay(view: Tensor) -> Tensor:
    """A substitute for a view, with the history that its base has now."""
    root: Any = view._base
    if not root._requires_grad:  # detached: the node has no edges
        root = root.detach()
        root._requires_grad = True
    base = _reread(root, view._views)
    if not view._views[-1].keeps_elements:
        return base
    if isinstance(view._views[-1], Place):
        return apply1(AsStrided(*view._views[-1].geometry), base)
    node = base._grad_fn
    if base is root and isinstance(node, CopySlices) and node.views is view._views:
        geometry, operand = node.view_geometry, node.base_geometry  # it was this view
    else:
        geometry, operand = Geometry.of(in_memory(view)), Geometry.of(in_memory(base))
    op = AsStrided(*geometry)
    op.geometry, op.operand_geometry = geometry, operand
    made: Tensor = bare_tensor(Tensor, in_memory(view), view._device)
    record(op, (base,), (made,), False)
    return made


def direct_history(view: Tensor) -> Tensor:
    """A view, or a substitute whose history leads straight to the base.

    `as_strided` of a view can reach beyond that view: a gradient that went back through
    it would lose what lies outside. And hooks on the nodes of views are not called for
    changes: these nodes are no part of the history of the base.
    """
    if not view._requires_grad:
        return view
    if any(isinstance(step, AsStrided) for step in view._views[1:]):
        reread = not all(step.keeps_elements for step in view._views)
        return _read_from_base(view) if reread else _replay(view)
    return _replay(view) if _hooked(view) else view


def _read_from_base(view: Tensor) -> Tensor:
    """A copy of what a view shows, read from its base in one step."""
    base: Any = view._base
    memory, part = in_memory(base), in_memory(view)
    dtype = None if part.dtype == memory.dtype else part.dtype
    read = AsStridedBackward(Geometry.of(memory), Geometry.of(part), dtype=dtype)
    copy: Tensor = apply1(read, base)
    copy = copy.conj() if base._conjugated != view._conjugated else copy
    return -copy if base._negated != view._negated else copy


def _hooked(view: Tensor) -> bool:
    """Whether a node between a view and its base has hooks."""
    base: Any = view._base
    node, end = view._grad_fn, base._grad_fn
    for _ in view._views:
        if node is None or node is end or isinstance(node, Tensor):
            return False
        if node.hooks is not None:
            return True
        node = node.edges[0]
    return False


views.replay = _replay
op_errors.refresh = refresh_view


class CopySlices(Op):
    """A base after one of its views was overwritten with `value`.

    The view may show real parts of complex numbers or pairs as complex ones (`dtype`),
    conjugated or negated.

    Math: y = base outside the view, value inside
          ∂L/∂base = g outside, 0 inside      ∂L/∂value = g inside
    """

    forward_in_single = False
    backward_in_single = False
    attributes = ("views", "base_geometry", "view_geometry", "dtype")
    saves = ()
    torch_name = "CopySlices"
    complex32 = "single"

    def __init__(self, view: Tensor) -> None:
        base: Any = view._base
        memory, part = in_memory(base), in_memory(view)
        self.views = view._views
        self.base_geometry, self.view_geometry = Geometry.of(memory), Geometry.of(part)
        self.dtype = None if part.dtype == memory.dtype else part.dtype
        self.conjugates = base._conjugated != view._conjugated
        self.negates = base._negated != view._negated

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "torch::autograd::CopySlices"

    def forward(self, base: Any, value: Any) -> Any:
        return base  # the memory has already been written

    def backward(self, g: Any) -> Any:
        base, view = self.base_geometry, self.view_geometry
        self._refuse_outside(g.dtype.itemsize)
        if self.needs[0]:  # PyTorch writes zeros into the gradient of the base
            refuse_repeated(view.shape, view.stride)
        gv = apply1(AsStridedBackward(base, view, dtype=self.dtype), g)
        gv = gv.conj() if self.conjugates else gv
        gv = -gv if self.negates else gv
        gb = apply1(ZeroAt(base, view, self.dtype), g) if self.needs[0] else None
        return gb, gv

    def _refuse_outside(self, itemsize: int) -> None:
        """Reject a view of memory that the base does not contain (any more).

        Raises:
            RuntimeError: as the view cannot be found in a gradient of the base.
        """
        base, view = self.base_geometry, self.view_geometry
        size = itemsize if self.dtype is None else self.dtype.itemsize
        offset = view.offset - base.offset * itemsize // size
        if offset < 0:
            raise RuntimeError(f"Tensor: invalid storage offset {offset}")
        if view.reach * size > base.reach * itemsize and 0 not in view.shape:
            reach = (base.reach - base.offset) * itemsize
            raise out_of_bounds(view.at(offset), size, reach)


class ZeroAt(Op):
    """A tensor with zeros where a view of it lies.

    Math: y = x outside the view, 0 inside      ∂L/∂x = g outside, 0 inside
    """

    attributes = ("base", "view", "dtype")
    saves = ()

    def __init__(self, base: Geometry, view: Geometry, dtype: Any) -> None:
        self.base, self.view, self.dtype = base, view, dtype

    def forward(self, x: Any) -> Any:
        storage = array_module(x).zeros(self.base.reach, x.dtype)
        y = self.base.view_of(storage)
        y[...] = x
        self.view.view_of(storage, self.dtype)[...] = 0
        return y

    def backward(self, g: Any) -> Any:
        return apply1(ZeroAt(self.base, self.view, self.dtype), g)
