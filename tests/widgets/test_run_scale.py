"""Scales and texts of runs are those of TypeScript."""

from __future__ import annotations

import json

import pytest

from edutorch.widgets.run_scale import (
    beyond_text,
    progress_text,
    run_title,
    scale_of,
    time_text,
)
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "run" / "scales.json").read_text())


@pytest.mark.parametrize("case", SHARED["scales"], ids=lambda c: str(c["lines"])[:60])
def test_scale_is_that_of_typescript(case):
    scale = scale_of(case["lines"])
    assert tuple(scale) == (case["low"], case["high"], case["log"])
    for one in case["places"]:
        assert scale.place(one["value"]) == pytest.approx(one["place"])
        assert scale.side(one["value"]) == one["side"]
    assert beyond_text("loss", case["lines"]) == case["beyond"]


CALM = [2 / (1 + 0.1 * i) for i in range(60)]


@pytest.mark.parametrize("worst", [1e4, 1e9, 1e38, -1e9])
@pytest.mark.parametrize("diverged", [1, 5, 40])
@pytest.mark.parametrize("others", [1, 2, 3])
def test_run_that_diverges_leaves_the_others_half_of_the_axis(worst, diverged, others):
    wild = [2.0, 3.0, *([worst] * diverged), "inf", "nan"]
    scale = scale_of([CALM] * others + [wild])
    assert scale.place(CALM[0]) - scale.place(CALM[-1]) > 0.5
    assert scale.side(worst) == (1 if worst > 0 else -1)
    assert beyond_text("loss", [CALM, wild]).startswith(f"{diverged} value")


@pytest.mark.parametrize("diverged", [1, 10, 55])
@pytest.mark.parametrize("factor", [3.0, 1e6])
def test_single_run_that_diverges_late_shows_how_it_was_before(factor, diverged):
    wild = [*CALM, *(CALM[-1] * factor ** min(i, 20) for i in range(10, 10 + diverged))]
    scale = scale_of([wild])
    assert scale.place(CALM[0]) - scale.place(CALM[-1]) > 0.25
    assert scale.side(wild[-1]) == 1
    assert "above the axis" in beyond_text("loss", [wild])


@pytest.mark.parametrize(
    "lines",
    [
        [[10.0 ** (3 - i) for i in range(10)]],  # converges over many decades
        [[0.0, 1e-6, 1e-3, 0.1], [0.1, 0.1]],  # a learning rate that warms up
        [[0.01, 0.01, 0.01], [0.01, 0.5, 0.95]],  # accuracy, stuck and not
        [[1.0, 1.0, 1.0], [1.0, 60.0, 99.0]],  # the same in percent
        [[200.0, 210.0], [1e5, 1.1e5]],  # throughput of two machines
        [[2.0, 1.0], [2.0, 1.0, 30.0]],  # a spike
    ],
    ids=["converges", "warm-up", "accuracy", "percent", "throughput", "spike"],
)
def test_metric_without_divergence_is_shown_in_full(lines):
    scale = scale_of(lines)
    values = [v for line in lines for v in line]
    assert (scale.low, scale.high) == (min(values), max(values))
    assert beyond_text("x", lines) == ""


@pytest.mark.parametrize("case", SHARED["times"], ids=lambda c: c["text"])
def test_time_is_written_as_by_typescript(case):
    assert time_text(case["seconds"]) == case["text"]


@pytest.mark.parametrize("case", SHARED["runs"], ids=lambda c: c["progress"])
def test_run_is_described_as_by_typescript(case):
    assert run_title(case["data"]) == case["title"]
    assert progress_text(case["data"]) == case["progress"]
