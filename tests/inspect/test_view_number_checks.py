"""Numbers that no view could draw are refused."""

from __future__ import annotations

import pytest

from edutorch.inspect.view_number_checks import (
    check_grid,
    check_histogram,
    check_step,
    check_times,
)

GRID = {"shown": [1, 2], "steps": [1, 1], "lead": [3], "first": 0, "values": [1.0, 2.0]}
STEP = {"t": [0.0, 1.0], "ms": 2.0, "phases": [{"t": 0.5, "name": "forward"}]}


@pytest.mark.parametrize("time", [None, -1e16, 1e308, "1", float("nan"), True])
def test_times_that_are_none_are_refused(time):
    check_times("t", 0, 1.5)
    with pytest.raises(ValueError, match="is no time"):
        check_times("t", 0, time)


@pytest.mark.parametrize(
    "wrong", [{"t": []}, {"phases": []}, {"t": [1.0, 0.5]}, {"t": [0.7, 1.0]}]
)
def test_step_whose_phases_do_not_fit_is_refused(wrong):
    check_step(STEP)
    with pytest.raises(ValueError, match="memory.steps"):
        check_step(STEP | wrong)


@pytest.mark.parametrize(
    "wrong",
    [{"shown": [-1, -2]}, {"shown": [2]}, {"values": [1.0]}, {"lead": [-3]}, {"lead": [2**40, 2**40]}, {"first": 3},
     {"first": -1}, {"values": []}],
)  # fmt: skip
def test_grid_of_no_slice_is_refused(wrong):
    check_grid(GRID)
    check_grid(GRID | {"shown": [0, 2], "values": []})
    with pytest.raises(ValueError, match=r"tensor\.grid"):
        check_grid(GRID | wrong)


@pytest.mark.parametrize("counts", [[], [0, 0], [1, -1]])
def test_histogram_without_bars_is_refused(counts):
    check_histogram([0, 2])
    with pytest.raises(ValueError, match="no counts"):
        check_histogram(counts)
