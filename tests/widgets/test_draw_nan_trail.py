"""The still picture and the text of a NaN's way."""

from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.inspect import NanTrailRecorder
from edutorch.widgets.draw_nan_trail import (
    describe_end,
    describe_operand,
    describe_range,
    draw_nan_trail,
    head,
    nan_trail_text,
)
from edutorch.widgets.png import render
from tests.widgets.samples import texts
from tests.widgets.shared_fixtures import FIXTURES


def series(run=None):
    with NanTrailRecorder() as recorder:
        if run is not None:
            run()
    return recorder.series()


def go_wrong():
    x = torch.tensor([-1.0, 4.0], requires_grad=True)
    nn.Sequential(nn.Softplus(), nn.Identity())(x.log()).sum().backward()


def test_picture_shows_each_box_with_its_counts_and_the_first_with_ranges():
    words = texts(draw_nan_trail(series(go_wrong)))
    assert words[1] == "It reached the loss."
    assert [w for w in words if w.startswith("✕")] == [
        "✕ 1 nan of 2 values",
        "✕ 1 nan of 2 values",
        "✕ 1 nan of 1 value",
    ]
    assert "first: log" in words and "loss: sum" in words
    assert "softplus in 0" in words
    assert "x 2: -1 to 4" in words


def test_text_says_what_the_picture_shows():
    lines = nan_trail_text(series(go_wrong)).splitlines()
    assert lines[0].endswith("log made 1 nan of 2 values out of finite values")
    assert lines[1] == "  ▶ log: 1.39 to 1.39, 1 nan of 2 values"
    assert lines[-1] == "It reached the loss."


def test_picture_of_nothing_wrong_says_how_much_was_checked():
    words = texts(draw_nan_trail(series(lambda: torch.ones(2) * 2), "recorded"))
    assert words[0].startswith("NaNTrail: no problem up to step 0 (2 values")


def test_picture_is_drawn_as_svg_and_png():
    picture = draw_nan_trail(series(go_wrong))
    assert picture.svg().startswith("<svg")
    assert render(picture)[:4] == b"\x89PNG"


def test_value_without_a_name_is_called_a_tensor():
    box = {"kind": "input", "name": "", "var": "", "module": ""}
    assert head(box) == "input a tensor"


def test_left_out_boxes_are_counted():
    assert "7 boxes" in describe_end({"reached": "", "left_out": 7})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("heads", head),
        ("ranges", describe_range),
        ("ends", describe_end),
        ("operands", lambda o: describe_operand(o).partition(": ")[2]),
    ],
)
def test_words_are_those_of_the_page(table, words):
    shared = json.loads((FIXTURES / "nan_trail" / "words.json").read_text())
    for case in shared[table]:
        assert words(case["given"]) == case["words"]
