"""Where the boxes stand."""

from __future__ import annotations

import pytest

from edutorch.widgets.fold import fold
from edutorch.widgets.layout import layout
from tests.widgets.shared_fixtures import NAMES, fixture


def placed(name: str):
    case = fixture(name)
    folded = fold(case["data"], set(case["expanded"]))
    return folded, layout(folded, case["direction"]), case["expected"]


@pytest.mark.parametrize("name", NAMES)
def test_layout_when_given_a_fixture_agrees_with_typescript(name):
    _, drawn, expected = placed(name)
    size = [drawn.width, drawn.height]
    assert size == pytest.approx([expected["width"], expected["height"]], abs=0.1)
    for box in expected["boxes"]:
        rect = drawn.rects[box["id"]]
        want = [box[k] for k in "xywh"]
        assert [rect.x, rect.y, rect.w, rect.h] == pytest.approx(want, abs=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_routes_when_given_a_fixture_agree_with_typescript(name):
    _, drawn, expected = placed(name)
    assert len(drawn.routes) == len(expected["routes"])
    for route, want in zip(drawn.routes, expected["routes"], strict=True):
        ends = (route.net, route.start, route.end, route.arrow, route.long)
        assert ends == tuple(want[k] for k in ("net", "from", "to", "arrow", "long"))
        for point, expected_point in zip(route.points, want["points"], strict=True):
            assert point == pytest.approx(expected_point, abs=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_layout_when_boxes_share_a_frame_never_overlaps_them(name):
    folded, drawn, _ = placed(name)
    for i, a in enumerate(folded.boxes):
        for b in folded.boxes[i + 1 :]:
            if a.parent == b.parent:
                assert apart(drawn.rects[a.id], drawn.rects[b.id]), (a.id, b.id)


def apart(a, b) -> bool:
    beside = a.x + a.w <= b.x + 0.1 or b.x + b.w <= a.x + 0.1
    return beside or a.y + a.h <= b.y + 0.1 or b.y + b.h <= a.y + 0.1


@pytest.mark.parametrize("direction", ["down", "right"])
def test_layout_when_edges_run_forward_draws_them_in_the_way_of_the_flow(direction):
    case = fixture("residual")
    drawn = layout(fold(case["data"], set(case["expanded"])), direction)
    along = 1 if direction == "down" else 0
    for route in drawn.routes:
        places = [point[along] for point in route.points]
        assert places == sorted(places)
