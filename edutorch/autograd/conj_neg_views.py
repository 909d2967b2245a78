"""Conjugate and negative views: ops that create them, and ops on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import events, op_events
from ..tensor.conj_neg_view import ConjNegView, conj_neg_tensor, in_memory
from ..tensor.tensor import Tensor, bare_tensor
from . import views
from .dispatch import Op, apply1, record
from .views import link_view

__all__ = ["ConjView", "NegView", "run_lazily"]


class ConjView(Op):
    """The complex conjugate as a view, which is computed when it is read.

    Math: y = conj(x)      ∂L/∂x = conj(g)
    """

    is_view = True
    keeps_elements = False
    lazy_bit = "conj"
    saves = ()
    torch_name = "Conj"

    def forward(self, x: Any) -> Any:
        return np.conj(x)

    def backward(self, g: Any) -> Any:
        return apply1(ConjView(), g) if not isinstance(g, Tensor) else g.conj()


class NegView(Op):
    """The negative as a view, which is computed when it is read.

    Math: y = -x      ∂L/∂x = -g
    """

    is_view = True
    keeps_elements = False
    lazy_bit = "neg"
    saves = ()

    def forward(self, x: Any) -> Any:
        return -x

    def backward(self, g: Any) -> Any:
        return -g


def run_lazily(op: Op, a: Tensor) -> Any:
    """Run a view op on a conjugate or negative view without computing its values.

    Where no view of such memory exists, the result is an ordinary tensor.
    """
    if op.checks:
        op.check(a)
    if a._conjugated and not (op.keeps_elements or op.lazy_bit):
        return apply1(op, a.clone())  # parts of numbers that are not in memory
    started = events.clock() if events.active else 0
    array = in_memory(a)
    y = array[...] if op.lazy_bit else op.forward(array)
    several = isinstance(y, tuple)
    parts = enumerate(y if several else (y,))
    outs = tuple([_view(op, a, part, nr) for nr, part in parts])
    record(op, (a,), outs, several)
    if started:
        op_events.announce_op(op, (a,), outs, started)
    return outs if several else outs[0]


def _view(op: Op, a: Tensor, part: Any, nr: int) -> Tensor:
    memory = a.untyped_storage().array  # of which `a` may be a part
    if part.size and not np.may_share_memory(memory, part):
        made: Tensor = bare_tensor(
            Tensor, a.resolved(part) if type(a) is ConjNegView else part
        )
        return made
    made = conj_neg_tensor(part, a, op.lazy_bit)
    link_view(op, a, made, nr)
    return made


views.run_lazily = run_lazily
