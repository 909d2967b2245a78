"""What a box of the graph is called, and what stands below."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.inspect import GraphRecorder
from edutorch.widgets.box_style import backward_done
from edutorch.widgets.boxes import node_box, node_title
from edutorch.widgets.draw_graph import NOW, draw_graph
from edutorch.widgets.fold import fold
from edutorch.widgets.text import graph_text


def node(**more):
    """A node of a snapshot."""
    return {
        "id": "op0", "kind": "op", "name": "mul", "module": "", "shape": [],
        "dtype": "float32", "stats": None,
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("stats", "sub"),
    [
        (None, "scalar"),
        ({"n": 1, "mean": 6.0, "nonfinite": 0}, "6"),
        ({"n": 1, "mean": None, "nonfinite": 1}, "nan/inf"),
    ],
)
def test_box_of_a_single_number_shows_it_where_it_is_known(stats, sub):
    assert node_box(node(stats=stats), "op0", "", "mul").sub == sub


def test_box_of_several_numbers_shows_their_shape():
    stats = {"n": 6, "mean": 6.0, "nonfinite": 0}
    assert node_box(node(shape=[2, 3], stats=stats), "op0", "", "mul").sub == "2×3"


def test_title_tells_what_the_program_calls_the_result():
    assert node_title(node(var="z")) == "z = mul"
    assert node_title(node(var="")) == "mul"


def joined():
    """A value that is used twice, so that its gradients are added up."""
    a = torch.tensor(2.0, requires_grad=True)
    with GraphRecorder() as recorder:
        (a * 3 + a).backward()
        return recorder.snapshot()


def test_leaf_that_is_used_twice_is_one_box_with_two_lines():
    folded = fold(joined(), ())
    (leaf,) = [box for box in folded.boxes if box.kind == "param"]
    assert [e.end for e in folded.edges if e.start == leaf.id] == ["op0", "op1"]


def test_gradients_that_are_still_to_come_are_not_called_none():
    data = joined()
    assert backward_done(data)
    data["nodes"][1]["grad"] = None
    for pending, words in ((True, "gradient not computed yet"), (False, "no gradient")):
        text = graph_text(data | {"pending": pending})
        assert words in text
        assert backward_done(data | {"pending": pending}) is not pending


def test_picture_and_text_mark_where_the_reader_has_stopped():
    data = joined()
    assert NOW not in draw_graph(data).svg()
    assert "stopped" not in graph_text(data)
    stopped = data | {"now": "op1"}
    assert draw_graph(stopped).svg().count(NOW) == 1
    (line,) = [x for x in graph_text(stopped).splitlines() if "stopped here" in x]
    assert "= add(" in line
