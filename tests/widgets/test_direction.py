"""Which way a graph is drawn."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.direction import better_direction, visible_scale
from tests.widgets.shared_fixtures import FIXTURES

CHOICES = json.loads((FIXTURES / "direction" / "choices.json").read_text())


def test_direction_when_given_sizes_agrees_with_typescript():
    for case in CHOICES:
        frame, down, right = case["frame"], case["down"], case["right"]
        assert [
            visible_scale(down, frame),
            visible_scale(right, frame),
        ] == pytest.approx(case["shown"])
        for now, better in zip(("", "down", "right"), case["better"], strict=True):
            assert better_direction(now, down, right, frame) == better


def test_shown_when_all_fits_is_the_scale():
    assert visible_scale((100, 100), (1000, 500)) == 1
    assert visible_scale((1000, 500), (950, 500)) == 0.95


def test_direction_when_both_fit_stays():
    small, frame = (100, 100), (1000, 500)
    assert better_direction("down", small, small, frame) == "down"
    assert better_direction("right", small, small, frame) == "right"
