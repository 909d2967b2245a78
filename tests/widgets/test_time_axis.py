"""The ticks of a time axis are those of the page."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.time_axis import time_text, time_ticks
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "time" / "ticks.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['from']} to {c['to']}")
def test_time_ticks_agree_with_those_of_the_page(case):
    ticks = time_ticks(case["from"], case["to"], case["count"])
    assert [text for _, text in ticks] == [t["text"] for t in case["ticks"]]
    assert [us for us, _ in ticks] == pytest.approx([t["us"] for t in case["ticks"]])


def test_time_text_when_most_is_small_tells_microseconds():
    assert time_text(250, 50, 900) == "250 µs"
