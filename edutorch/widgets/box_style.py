"""Text and colours of the graph's boxes, as in `box_style.ts`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .boxes import Box
from .format import clip, clip_title, number
from .layout import SUB_COLUMNS, TITLE_COLUMNS

__all__ = [
    "BAD", "COLOURS", "GRADIENT", "BoxStyle", "MUTED", "TEXT", "backward_done",
    "has_gradients",
    "op_family", "style_of",
]  # fmt: skip

TEXT, MUTED, GRADIENT, BAD = "#14181f", "#56606e", "#b4480a", "#c01040"

# Okabe and Ito's hues, distinguishable with any kind of colour blindness
COLOURS = {
    "linear": "#0072b2",
    "activation": "#d98200",
    "pointwise": "#00936b",
    "reduce": "#2f9fd0",
    "shape": "#8b95a3",
    "loss": "#c2478f",
    "param": "#b39a00",
    "input": MUTED,
    "const": "#9aa3af",
    "module": "#5b6abf",
}

_LINEAR = (
    "matmul|mm|bmm|linear|conv|einsum|dot|embedding|attention|outer|baddbmm"
    "|lstm|gru|rnn"
)
_ACTIVATION = "relu|sigmoid|tanh|softmax|gelu|elu|silu|softplus|mish|dropout|hard"
_SHAPE = (
    "view|shape|flatten|permute|transpose|cat|stack|squeeze|select|slice|index"
    "|getitem|expand|narrow|split|chunk|pad|^t$|clone|contiguous|unfold|gather"
    "|roll|flip|unbind"
)
_FAMILIES = (
    ("loss", "loss|cross_entropy|nll|kl_div"),
    ("linear", _LINEAR),
    ("activation", _ACTIVATION),
    ("shape", _SHAPE),
    ("reduce", "sum|mean|max|min|pool|norm|var|std|prod|any|all|arg|cum"),
)


def op_family(name: str) -> str:
    """The family of an op, inferred from its name.

    Example:
        >>> op_family("conv2d"), op_family("add")
        ('linear', 'pointwise')
    """
    for family, pattern in _FAMILIES:
        if re.search(pattern, name):
            return family
    return "pointwise"


@dataclass
class BoxStyle:
    """The text of a box and the data that determine its colours.

    Attributes:
        grad: a gradient was computed for it.
        bad: it contains nan or inf, its op failed, or a check has reported it.
    """

    title: str
    sub: str
    foot: str
    family: str
    grad: bool
    bad: bool


def has_gradients(data: dict[str, Any]) -> bool:
    """Whether a backward pass has computed gradients here."""
    return any(node["grad"] is not None for node in data["nodes"])


def backward_done(data: dict[str, Any]) -> bool:
    """Whether backward is over, so that missing gradients stay missing."""
    return has_gradients(data) and not data.get("pending")


def style_of(box: Box, by_id: Mapping[str, dict[str, Any]], started: bool) -> BoxStyle:
    """The style of a box, complete for drawing.

    Args:
        box: the box to draw.
        by_id: the snapshot's nodes by id.
        started: whether a backward pass is over.
    """
    nodes = [by_id[i] for i in box.nodes if i in by_id]
    bad = sum(_nonfinite(n) for n in nodes)
    foot = "⚠ nan/inf" if bad else _foot(box, nodes, started)
    wrong = next((n for n in nodes if n.get("error")), None)
    if wrong is not None:
        foot = "✗ wrong" if wrong["dtype"] else "✗ failed"
    return BoxStyle(
        title=clip_title(box.title, TITLE_COLUMNS),
        sub=clip(box.sub, SUB_COLUMNS),
        foot=foot,
        family=_family(box, by_id.get(box.node)),
        grad=any(n["grad"] is not None for n in _grad_nodes(nodes)),
        bad=bad > 0 or wrong is not None,
    )


def _family(box: Box, node: dict[str, Any] | None) -> str:
    if box.kind == "op":
        return op_family(node["name"] if node else "")
    return box.kind if box.kind in ("param", "input", "const") else "module"


def _nonfinite(node: dict[str, Any]) -> int:
    known = (node[k] for k in ("stats", "grad"))
    return sum(k["nonfinite"] for k in known if k is not None)


def _grad_nodes(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes whose gradients a box shows: its parameters or its result."""
    params = [n for n in nodes if n["kind"] == "param"]
    return params or [n for n in nodes if n["kind"] == "op"][-1:]


def _grad_text(nodes: list[dict[str, Any]], started: bool) -> str:
    grads = [n["grad"] for n in _grad_nodes(nodes) if n["grad"] is not None]
    norms = [g["norm"] for g in grads if g.get("norm") is not None]
    if norms:
        return f"∇ {number(math.sqrt(sum(x * x for x in norms)))}"
    if grads:
        return "∇ done"
    return "∇ none" if started else "∇ not yet"


def _foot(box: Box, nodes: list[dict[str, Any]], started: bool) -> str:
    if box.kind in ("input", "const"):
        known = any(n["grad"] is not None for n in nodes)
        return _grad_text(nodes, started) if known else box.kind
    text = _grad_text(nodes, started)
    if box.kind in ("module", "repeat"):
        return f"{text} · {len(nodes)} nodes"
    return text
