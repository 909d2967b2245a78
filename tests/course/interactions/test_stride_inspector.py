from __future__ import annotations

import json

import pytest

from edutorch.course.interactions.stride_inspector import StrideInspector, viewed
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "stride_inspector" / "views.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[" ".join(c["names"]) for c in CASES])
def test_views_of_the_library_are_those_of_the_page(case):
    caption, walk, memory, *_ = StrideInspector(case["names"]).text().split("\n")
    assert caption == case["caption"]
    assert walk == case["walk"]
    assert memory == "memory: " + " ".join(map(str, case["memory"]))


def test_only_row_is_not_dropped():
    assert viewed(["drop a row"] * 5).shape == (1, 4)


def test_numbers_of_a_view_are_read_from_the_memory():
    lines = StrideInspector(["transpose", "every 2nd column"]).text().split("\n")
    assert [line.split() for line in lines[3:]] == [
        ["10", "18"], ["11", "19"], ["12", "20"], ["13", "21"],
    ]  # fmt: skip


def test_picture_marks_the_chosen_element_and_stays_within_its_frame():
    picture = StrideInspector(["transpose"], at=(3, 2)).picture()
    assert "y[3, 2] is at 0 + 3·1 + 2·4 = 11" in picture.svg()
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert sum(box["fill"] == "none" for box in boxes) == 2
    assert max(box["y"] + box["h"] for box in boxes) <= picture.height


def test_unknown_operation_is_refused():
    with pytest.raises(KeyError):
        StrideInspector(["flip"])
