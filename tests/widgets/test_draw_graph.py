"""The still picture of a graph; its SVG is checked in test_svg.py."""

from __future__ import annotations

import pytest

from edutorch.widgets.box_style import GRADIENT
from edutorch.widgets.draw_graph import MAX_BOXES, draw_graph
from tests.widgets.samples import texts
from tests.widgets.shared_fixtures import NAMES, fixture


@pytest.mark.parametrize("name", NAMES)
def test_draw_graph_when_given_a_fixture_stays_within_its_frame(name):
    case = fixture(name)
    picture = draw_graph(case["data"], case["expanded"])
    for kind, shape in picture.shapes:
        if kind == "rect":
            assert shape["x"] >= 0
            assert shape["y"] >= 0
            assert shape["x"] + shape["w"] <= picture.width + 0.1
            assert shape["y"] + shape["h"] <= picture.height + 4.1  # stacks stick out


def test_draw_graph_when_gradients_are_known_shows_them():
    case = fixture("scalars")
    assert "∇ 0.8" in texts(draw_graph(case["data"]))


def test_draw_graph_when_gradients_are_known_explains_their_colour():
    case = fixture("scalars")
    picture = draw_graph(case["data"])
    legend = ["value", "value and gradient", "∇ gradient norm"]
    assert texts(picture)[-3:] == legend
    lines = [shape for kind, shape in picture.shapes if kind == "line"]
    assert lines[-1]["stroke"] == GRADIENT
    nodes = [node | {"grad": None} for node in case["data"]["nodes"]]
    assert not set(legend) & set(texts(draw_graph(case["data"] | {"nodes": nodes})))


def test_draw_graph_when_nothing_was_recorded_says_so():
    empty = fixture("scalars")["data"] | {"nodes": [], "edges": []}
    assert texts(draw_graph(empty)) == ["Graph: nothing recorded yet"]


def test_draw_graph_when_nodes_were_dropped_says_how_many():
    data = fixture("scalars")["data"] | {"dropped": 12}
    assert "12 older nodes dropped" in draw_graph(data, note="recorded").title


def test_draw_graph_when_values_are_older_says_so():
    data = fixture("scalars")["data"] | {"recorded_step": 9}
    assert draw_graph(data).title == (
        "Graph of 3 operations, step 12; values and gradients from step 9"
    )


def flat(count):
    """A snapshot of unlike operations in a row, outside modules."""
    op = fixture("scalars")["data"]["nodes"][2]
    nodes = [op | {"id": f"op{i}", "shape": [i]} for i in range(count)]
    edges = [[f"op{i}", f"op{i + 1}"] for i in range(count - 1)]
    return fixture("scalars")["data"] | {"nodes": nodes, "edges": edges}


def test_draw_graph_when_there_are_too_many_boxes_draws_the_last():
    picture = draw_graph(flat(3 * MAX_BOXES), note="recorded")
    assert "Graph of 900 operations" in picture.title
    assert (
        f"(recorded; too many boxes: the last {MAX_BOXES} operations are drawn)"
        in picture.title
    )
    assert "899" in texts(picture)
    assert "599" not in texts(picture)


def test_draw_graph_when_each_operation_has_leaves_draws_fewer():
    data = flat(MAX_BOXES)
    leaf = fixture("scalars")["data"]["nodes"][0]
    leaves = [leaf | {"id": f"t{i}"} for i in range(MAX_BOXES)]
    edges = [[f"t{i}", f"op{i}"] for i in range(MAX_BOXES)]
    data |= {"nodes": [*leaves, *data["nodes"]], "edges": data["edges"] + edges}
    picture = draw_graph(data)
    assert f"the last {MAX_BOXES // 2} operations are drawn" in picture.title


def test_draw_graph_when_a_chain_can_be_read_from_left_to_right_does_so():
    picture = draw_graph(flat(5), note="five in a row")
    assert picture.width < picture.height
    picture = draw_graph(flat(7))
    assert picture.width > 2 * picture.height
    assert picture.width < 1200


def test_draw_graph_when_a_page_is_too_narrow_draws_downwards():
    picture = draw_graph(flat(30))
    assert picture.height > picture.width
    picture = draw_graph(flat(30), direction="right")
    assert picture.width > picture.height
