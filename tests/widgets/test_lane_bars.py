"""Bars and facts of lanes are those of the page."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from edutorch.widgets.draw_lanes import full_text
from edutorch.widgets.lane_bars import busy_text, drawn_bars, lane_facts
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "lanes" / "lanes.json").read_text())


@pytest.mark.parametrize("case", CASES["drawn"], ids=lambda c: f"pixel {c['pixel']}")
def test_drawn_bars_agree_with_those_of_the_page(case):
    drawn = drawn_bars(CASES["bars"], CASES["texts"], case["pixel"])
    assert [asdict(bar) for bar in drawn] == case["drawn"]


@pytest.mark.parametrize("case", CASES["facts"])
def test_facts_agree_with_those_of_the_page(case):
    assert lane_facts(case["lane"]) == case["facts"]


@pytest.mark.parametrize("case", CASES["full"])
def test_words_of_a_full_device_agree_with_those_of_the_page(case):
    assert full_text(case) == case["text"]


def test_busy_text_when_some_is_left_is_never_all_or_nothing():
    assert busy_text(1e-9) == "busy <1%, idle >99%"
    assert busy_text(1 - 1e-9) == "busy >99%, idle <1%"
    assert busy_text(0.0) == "busy 0%, idle 100%"
    assert busy_text(1.0) == "busy 100%, idle 0%"
