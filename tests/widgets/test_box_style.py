"""What is written on a box."""

from __future__ import annotations

import pytest

from edutorch.widgets.box_style import COLOURS, has_gradients, op_family, style_of
from edutorch.widgets.boxes import Box


def node(ident="op0", kind="op", grad=None, stats=None):
    return {"id": ident, "kind": kind, "name": "mul", "grad": grad, "stats": stats}


def gradient(norm, nonfinite=0):
    return {"norm": norm, "nonfinite": nonfinite}


def style(nodes, kind="op", started=True):
    box = Box(
        "b", kind, nodes[0]["id"], "", "", "title", "2×3", [n["id"] for n in nodes]
    )
    return style_of(box, {n["id"]: n for n in nodes}, started)


@pytest.mark.parametrize(
    ("name", "family"),
    [("conv2d", "linear"), ("relu", "activation"), ("mse_loss", "loss"),
     ("reshape", "shape"), ("sum", "reduce"), ("mul", "pointwise"),
     ("unbind", "shape"), ("lstm_layer", "linear")],
)  # fmt: skip
def test_op_family_when_given_a_name_guesses(name, family):
    assert op_family(name) == family
    assert family in COLOURS


def test_look_when_backward_has_not_been_says_not_yet():
    assert style([node()], started=False).foot == "∇ not yet"
    assert style([node()], started=True).foot == "∇ none"


def test_look_when_a_gradient_is_known_tells_its_norm():
    shown = style([node(grad=gradient(0.5))])
    assert shown.foot == "∇ 0.5"
    assert shown.grad


def test_look_when_the_norm_was_not_taken_says_done():
    assert style([node(grad=gradient(None))]).foot == "∇ done"


def test_look_when_a_module_has_parameters_tells_their_joint_norm():
    nodes = [
        node("op0", grad=gradient(9.0)),
        node("t0", "param", gradient(3.0)),
        node("t1", "param", gradient(4.0)),
    ]
    assert style(nodes, "module").foot == "∇ 5 · 3 nodes"


def test_look_when_values_are_not_finite_warns():
    shown = style([node(stats={"nonfinite": 7})])
    assert shown.foot == "⚠ nan/inf"
    assert shown.bad


def test_look_when_an_op_failed_or_was_found_wrong_says_so():
    failed = node() | {"error": "RuntimeError: shapes", "dtype": ""}
    wrong = node(stats={"nonfinite": 7}) | {"error": "check 01.5: no", "dtype": "int64"}
    assert style([failed]).foot == "✗ failed"
    assert style([node("op1"), wrong], "module").foot == "✗ wrong"
    assert style([failed]).bad and style([wrong]).bad


def test_has_gradients_when_one_node_has_is_true():
    assert not has_gradients({"nodes": [node()]})
    assert has_gradients({"nodes": [node(), node(grad=gradient(1.0))]})
