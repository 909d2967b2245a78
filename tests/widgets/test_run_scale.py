"""Scales and texts of runs are those of TypeScript."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.run_scale import progress_text, run_title, scale_of, time_text
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "run" / "scales.json").read_text())


@pytest.mark.parametrize("case", SHARED["scales"], ids=lambda c: str(c["values"]))
def test_scale_is_that_of_typescript(case):
    scale = scale_of(case["values"])
    assert tuple(scale) == (case["low"], case["high"], case["log"])
    assert scale.place(case["middle"]) == pytest.approx(case["place"])


@pytest.mark.parametrize("case", SHARED["times"], ids=lambda c: c["text"])
def test_time_is_written_as_by_typescript(case):
    assert time_text(case["seconds"]) == case["text"]


@pytest.mark.parametrize("case", SHARED["runs"], ids=lambda c: c["progress"])
def test_run_is_described_as_by_typescript(case):
    assert run_title(case["data"]) == case["title"]
    assert progress_text(case["data"]) == case["progress"]
