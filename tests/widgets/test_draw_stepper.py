"""The text and the still picture of a step."""

from __future__ import annotations

import re

import pytest

import edutorch as torch
from edutorch.inspect import StepRecorder
from edutorch.inspect.step_trace import trace_of
from edutorch.widgets.draw_stepper import (
    MOST_ROWS,
    draw_stepper,
    remarks,
    stepper_text,
    stepper_title,
)
from edutorch.widgets.format import number
from edutorch.widgets.step_numbers import plain
from tests.widgets.samples import texts


def traced(run, **options):
    with StepRecorder(**options) as recorder:
        run()
    return trace_of(recorder.collector)


def used_twice():
    x = torch.tensor([3.0, 1.0], requires_grad=True)
    y = x * x
    y.sum().backward()


def test_text_tells_each_product_and_each_sum_of_ways():
    lines = [line.strip() for line in stepper_text(traced(used_twice)).splitlines()]
    assert lines[0] == "Stepper: step 0: 2 operations, 2 nodes of backward"
    assert "y = a · b: [0]: 3 · 3 = 9" in lines
    assert "∂L/∂a = g · b (to x): [0]: 1 · 3 = 3" in lines
    assert "sum over 2 paths: [0]: 3 + 3 = 6" in lines
    assert "gradient = [6 2]" in lines


def test_gradient_that_is_added_to_an_earlier_one_is_told():
    x = torch.tensor([3.0], requires_grad=True)

    def run():
        x.sum().backward()
        (2 * x).sum().backward()

    assert "added to .grad, now [3]" in stepper_text(traced(run))


def test_nothing_recorded_and_what_is_missing_are_told():
    data = traced(lambda: None)
    assert stepper_title(data) == "Stepper: waiting for the next operation"
    assert "Run a training step to see it here." in texts(draw_stepper(data))
    data = traced(lambda: torch.ones(1000) * 2, limit=10)
    assert "dropped: limit 10 B" in remarks(data)[0]
    assert "1000 float32, dropped" in stepper_text(data)
    partial = data | {"partial": True, "left_out": 5, "dropped": 0, "trouble": "no"}
    assert remarks(partial) == [
        f"Only the first {len(data['moments'])} of {len(data['moments']) + 5} are kept.",
        "Recording stopped: no",
        "Recording started in the middle of the step, at the pause.",
    ]


def test_picture_of_a_long_step_ends_with_what_is_left_out():
    def run():
        x = torch.ones(2, requires_grad=True)
        for _ in range(100):
            x = x * 2
        x.sum().backward()

    data = traced(run)
    picture = draw_stepper(data, "recorded")
    assert texts(picture)[-1].endswith("more lines")
    assert len(texts(picture)) <= MOST_ROWS + 2
    assert "(recorded)" in texts(picture)[0]
    assert len(stepper_text(data).splitlines()) < 700


def test_failed_op_shows_its_error():
    def run():
        with pytest.raises(RuntimeError):
            torch.ones(2) @ torch.ones(3)

    assert "inconsistent tensor size" in stepper_text(traced(run))


@pytest.mark.parametrize("size", [0, 70, 5000])
def test_values_of_any_size_have_words(size):
    def run():
        (torch.ones(size, requires_grad=True) * 2).sum().backward()

    words = stepper_text(traced(run))
    assert "y = a · b" in words
    if size == 5000:
        assert "5000, 2 to 2" in words


def test_text_has_every_number_of_the_page_or_the_statistics_that_it_shows():
    def run():
        torch.manual_seed(0)
        w = torch.randn(60, requires_grad=True)
        x = torch.randn(3, 20, 60)
        h = torch.tanh(x @ torch.randn(60, 40, requires_grad=True))
        ((h.mean(1) * 2 - w[:40]).pow(2).sum() + w.norm()).backward()

    data = traced(run)
    told = set(re.findall(r"[^\s\[\],]+", stepper_text(data)))
    sizes = set()
    for value in data["values"]:
        stats = value["stats"]
        wanted = map(plain, value["cells"])
        if stats:
            wanted = [number(stats[name]) for name in ("min", "max", "mean", "std")]
        sizes.add(len(value["cells"]))
        assert set(wanted) <= told
    assert {1, 40, 60} < sizes and max(sizes) > 64


def test_text_of_many_small_values_has_their_ranges_at_last():
    def run():
        x = torch.arange(64.0)
        for _ in range(80):
            x = x + 1

    lines = stepper_text(traced(run)).splitlines()
    assert lines[-1].strip() == "x = 64, 80 to 143"
    assert sum("[" in line for line in lines) < 200
