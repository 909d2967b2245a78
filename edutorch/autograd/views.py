"""Views: their path from the base, and their history after the base has changed.

Two functions depend on dispatch, which depends on this file: `view_history.py` and
`conj_neg_views.py` set them here.
"""

from __future__ import annotations

from typing import Any

from .. import events
from ..tensor.conj_neg_view import in_memory
from ..tensor.geometry import Geometry
from ..tensor.tensor import Tensor
from . import modes as _m
from .modes import modes, set_grad
from .node import NthOutput, Op
from .op_errors import refuse_view

__all__ = ["link_view", "refresh_view"]

replay: Any = None  # replay(view): a substitute with the history of its base
run_lazily: Any = None  # run_lazily(op, tensor): a view of a conjugate or negative


def link_view(op: Op, a: Tensor, out: Tensor, nr: int = -1) -> None:
    """Make `out` a view of the base of `a`: same storage, known path from the base."""
    storage = a.untyped_storage()
    out._storage = storage
    out._device = a._device
    if not op.keeps_elements:
        if op.differentiable is False:
            return  # the memory is shared, and no history
        op.operand_geometry = Geometry.of(in_memory(a))
    out._base = a if a._base is None else a._base
    out._views = (*a._views, NthOutput(op, nr) if op.multiple_outputs else op)
    out._seen = storage.version
    if _m.pauses and not modes.grad:
        op.creation_mode = "inference" if modes.inference else "no_grad"


def refresh_view(view: Tensor, always: bool = False) -> None:
    """Give a view the history its base got by an in-place change since it was made.

    Args:
        always: also where operations are not recorded, which leave it for later.
    """
    base, storage = view._base, view._storage
    if base is None or storage is None or not (modes.grad or always):
        return
    if not base._requires_grad and view._grad_fn is None:
        return
    view._requires_grad = True
    if view._seen != storage.version:
        refuse_view(view, "its base or another view of its base has been")
        view._seen = storage.version
        before = set_grad(True)
        active, events.active = events.active, ()
        try:
            now = replay(view)
        finally:
            set_grad(before)
            events.active = active
        view._grad_fn, view._output_nr = now._grad_fn, now._output_nr
