"""The still picture of a run, and its text."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.draw_run import draw_run, run_text
from tests.widgets.samples import texts
from tests.widgets.shared_fixtures import FIXTURES

RUN = json.loads((FIXTURES / "run" / "scales.json").read_text())["runs"][0]["data"]


def lines(picture):
    return [s["points"] for kind, s in picture.shapes if kind == "line"]


def test_picture_has_a_chart_for_each_metric_and_says_how_it_goes():
    found = texts(draw_run(RUN, "recorded"))
    assert {"loss", "lr", "Run 2, lenet, lr=0.01"} <= set(found)
    assert "0.05 (1 of 10 kept)" in found
    assert found[0].startswith("Run 3, lenet, lr=0.1 (recorded) · running: pass 2")
    assert "rising at step 4: loss 9 > 10 x its best 0.5" in found


def test_charts_share_one_axis_that_begins_with_step_0():
    late = {"name": "accuracy", "stride": 1, "last": 0.9, "steps": [10, 20]}
    late |= {"values": [0.5, 0.9]}
    data = RUN | {"series": [RUN["series"][0], late], "others": []}
    found = texts(draw_run(data))
    assert found.count("step 0") == found.count("20") == 2
    (curve,) = [p for p in lines(draw_run(data)) if len(p) == 2 and p[0][1] != p[1][1]]
    whole = next(p for p in lines(draw_run(data)) if len(p) == 20)
    share = (curve[0][0] - curve[1][0]) / (whole[0][0] - whole[-1][0])
    assert share == pytest.approx(10 / 19)


def test_line_of_a_run_passes_through_its_values():
    data = RUN | {"others": []}
    drawn = next(p for p in lines(draw_run(data)) if len(p) == 20)
    heights = [y for _, y in drawn]
    assert heights == sorted(heights)  # the loss falls: further down on the page
    values = data["series"][0]["values"]
    share = (values[5] - values[-1]) / (values[0] - values[-1])
    assert (heights[-1] - heights[5]) / (heights[-1] - heights[0]) == pytest.approx(
        share
    )


def test_values_that_are_no_numbers_break_the_line():
    series = {"name": "loss", "stride": 1, "last": 1.0}
    series |= {"steps": [1, 2, 3, 4, 5], "values": [1.0, 2.0, "nan", 3.0, 1.0]}
    data = RUN | {"series": [series], "others": []}
    curves = [p for p in lines(draw_run(data)) if len({x for x, _ in p}) == 2]
    crosses = [p for p in curves if abs(p[0][1] - p[1][1]) == pytest.approx(6)]
    assert len(crosses) == 2  # the strokes of one cross


def diverging():
    values = [2.0, 20.0, 1e4, 1e9, 1e9, "inf"]
    wild = {"name": "loss", "stride": 1, "last": "inf", "values": values}
    return RUN | {"series": [wild | {"steps": [1, 4, 7, 10, 13, 16]}]}


def test_run_that_diverges_leaves_the_others_their_height():
    picture = draw_run(diverging())
    heights = [y for _, y in next(p for p in lines(picture) if len(p) == 20)]
    assert max(heights) - min(heights) > 60
    arrows = [s["points"] for kind, s in picture.shapes if kind == "polygon"]
    assert len(arrows) == 4
    assert all(tip[1] < base[1] for base, _, tip in arrows)  # they point up
    assert "4 values of loss are above the axis (2)" in texts(picture)


def test_text_tells_which_values_are_beyond_the_axis():
    found = run_text(diverging())
    assert "  4 values of loss are above the axis (2)" in found
    assert next(line for line in found if "loss" in line).endswith("2 .. 1.00e+09")
    assert not any("above the axis" in line for line in run_text(RUN))


def test_picture_of_nothing_is_drawn():
    empty = RUN | {"series": [], "others": [], "alerts": [], "rules": [], "total": None}
    assert draw_run(empty).svg().startswith("<svg")


def test_text_tells_all_that_the_picture_shows():
    found = run_text(RUN)
    assert found[0] == "Run 3, lenet, lr=0.1"
    assert found[1].strip().startswith("running: pass 2, 20 of 40")
    assert found[2].split() == ["loss", "0.1", "0.1", "..", "2"]
    assert "compared with Run 2, lenet, lr=0.01: loss 0.417, accuracy 0.5" in found[4]
    assert found[-1] == "  the run is not saved: disk full"


def test_rules_of_alerts_are_all_told_and_none_is_cut():
    rules = [f"the mean of metric {i} of the last 10 steps rises" for i in range(5)]
    found = texts(draw_run(RUN | {"rules": rules}))
    told = [text for text in found if "mean of metric" in text]
    assert len(told) > 1
    assert [text for text in told if "…" in text] == []
    assert [rule for rule in rules if rule not in " ".join(told)] == []
