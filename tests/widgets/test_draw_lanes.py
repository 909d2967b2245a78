"""The picture and the text of lanes."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.inspect import LanesRecorder
from edutorch.widgets.draw_lanes import draw_lanes, lanes_text, lanes_title
from tests.inspect.parallel_steps import DataParallelStep
from tests.widgets.samples import texts


@pytest.fixture(scope="module")
def data():
    with torch.cuda.simulate(devices=2, memory="4MB"), LanesRecorder() as recorder:
        step = DataParallelStep(samples=64)
        step.step()
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:1")
        return recorder.series()


def test_picture_has_a_lane_for_each_device_with_its_facts(data):
    written = texts(draw_lanes(data, "recorded"))
    for lane in data["lanes"]:
        assert lane["device"] in written
    assert "out of memory" in written
    assert any("(recorded)" in text for text in written)
    assert any(
        text.startswith("Times are measured on this computer") for text in written
    )


def test_picture_has_an_arrow_for_each_way_that_bytes_went(data):
    arrows = [s for kind, s in draw_lanes(data).shapes if kind == "polygon"]
    assert len(arrows) >= len(data["moved"])


def test_picture_stays_within_its_frame(data):
    picture = draw_lanes(data)
    for kind, shape in picture.shapes:
        if kind == "rect":
            assert shape["x"] >= -1 and shape["x"] + shape["w"] <= picture.width + 1.5
            assert shape["y"] + shape["h"] <= picture.height + 1


def test_text_tells_transfers_waits_phases_and_the_full_device(data):
    text = lanes_text(data)
    for sums in data["moved"]:
        assert f"{sums['source']} -> {sums['target']}: " in text
    assert "waited" in text and "scatter: " in text
    assert "cuda:1 out of memory: 8.0 MB requested" in lanes_title(data)


def test_nothing_recorded_is_said():
    series = LanesRecorder().series()
    assert lanes_text(series) == "DeviceLanes: nothing recorded yet"
    assert "nothing recorded yet" in draw_lanes(series).svg()


def test_title_names_four_devices_and_counts_the_rest(data):
    lane = next(lane for lane in data["lanes"] if lane["ops"])
    named = [lane | {"device": f"cuda:{i}"} for i in range(5)]
    assert "more" not in lanes_title(data | {"lanes": named[:4]})
    title = lanes_title(data | {"lanes": named})
    assert "cuda:3" in title and "cuda:4" not in title
    assert "(and 1 more) of" in title


def test_names_that_look_like_markup_stay_text(data):
    hostile = data | {"texts": ["<script>\x1b[2J" for _ in data["texts"]]}
    assert "<script" not in draw_lanes(hostile).svg()
    assert "\x1b" not in lanes_text(hostile)
