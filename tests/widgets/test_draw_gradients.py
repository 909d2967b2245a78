"""The still picture of gradients."""

from __future__ import annotations

import math

import pytest

from edutorch.widgets.draw_gradients import (
    BROKEN,
    NONE,
    Range,
    colour_of,
    colours,
    draw_gradients,
    range_of,
)
from tests.widgets.samples import gradients, texts


def painted(picture):
    """The colours of each image that is one pixel high."""
    strips = [s["pixels"] for kind, s in picture.shapes if kind == "image"]
    return [["#" + bytes(dot).hex() for dot in strip[0]] for strip in strips]


def test_colour_when_the_norm_grows_is_lighter():
    span = Range(-4, 2)
    lightness = [
        sum(int(colour_of(10.0**power, span)[i : i + 2], 16) for i in (1, 3, 5))
        for power in range(-4, 3)
    ]
    assert lightness == sorted(lightness)
    assert colour_of(0.0, span) == colour_of(1e-9, span) == "#081d58"
    assert colour_of(None, span) == NONE


def test_draw_gradients_when_given_a_series_paints_a_pixel_per_step():
    data = gradients(layers=3, steps=7)
    *strips, scale = painted(draw_gradients(data))
    assert strips == colours(data)
    span = range_of(data["norms"])
    assert (scale[0], scale[-1]) == (
        colour_of(10.0**span.low, span),
        colour_of(10.0**span.high, span),
    )


def test_range_when_norms_are_close_spans_two_powers():
    assert range_of([[0.5, 0.4]]) == (-2, 0)
    assert range_of([[None]]) == (-2, 0)
    assert range_of([[3e-9, 2e4]]) == (-9, 5)


def test_colours_when_given_a_series_has_a_row_per_layer():
    table = colours(gradients(layers=3, steps=7))
    assert [len(row) for row in table] == [7, 7, 7]
    assert table[0][0] == NONE


def test_draw_gradients_when_given_a_series_names_layers_norms_and_rules():
    data = gradients()
    shown = texts(draw_gradients(data))
    assert set(data["layers"]) <= set(shown)
    assert "net.0.weight vanishing at step 0: rule 0" in shown
    assert "net.2.weight nonfinite at step 6: rule 2" in shown


def test_draw_gradients_when_no_step_ended_says_so():
    empty = {"layers": [], "steps": [], "norms": [], "marks": []}
    (text,) = texts(draw_gradients(gradients() | empty))
    assert "no training step has ended" in text


def test_draw_gradients_when_one_step_ended_is_drawn():
    data = gradients(steps=1)
    assert draw_gradients(data).width > 0
    assert math.isfinite(draw_gradients(data).height)


def test_draw_gradients_when_there_are_many_layers_shows_the_first():
    picture = draw_gradients(gradients(layers=100))
    assert "the first 60 of 100 parameters" in picture.title


@pytest.mark.parametrize(
    ("steps", "labels"),
    [(1, ["0"]), (8, list("01234567")), (28, ["0", "5", "10", "15", "20", "25"]),
     (400, ["0", "100", "200", "300"])],
)  # fmt: skip
def test_axis_when_labelled_has_round_steps(steps, labels):
    shown = texts(draw_gradients(gradients(layers=3, steps=steps)))
    numbers = [text for text in shown[: shown.index("step")] if text.isdigit()]
    assert numbers == labels


def test_colours_when_a_norm_is_nan_until_the_next_number_say_so():
    data = gradients(layers=3, steps=6) | {"layers": ["net.0.weight"]}
    data["marks"] = [
        {"step": 1, "layer": "net.0.weight", "kind": "nonfinite", "rule": "nan"}
    ]
    data["norms"] = [[1.0], [None], [None], [1.0], [None], [1.0]]
    (row,) = colours(data)
    assert [c == BROKEN for c in row] == [False, True, True, False, False, False]
    assert row[4] == NONE


def test_draw_gradients_when_the_last_norm_is_nan_says_so():
    data = gradients(layers=3, steps=6)
    data["norms"][-1][2] = None
    data["marks"][2]["step"] = 5
    assert "nan/inf" in texts(draw_gradients(data))
