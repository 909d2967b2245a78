"""Names for parts of a program."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events
from edutorch.cuda import nvtx
from edutorch.inspect import LanesRecorder


@pytest.fixture
def marks():
    """The marks of a program on a simulated GPU."""
    seen = []

    def note(record):
        seen.append(record[6:8])

    subscription = events.listen("test.nvtx", note, kinds=("mark",))
    with torch.cuda.simulate(devices=1):
        yield seen
    subscription.close()


def test_functions_without_gpus_are_refused():
    calls = (
        lambda: nvtx.range_push("a"), nvtx.range_pop, lambda: nvtx.mark("a"),
        lambda: nvtx.range_start("a"), lambda: nvtx.range_end(1),
        lambda: nvtx.range("a").__enter__(),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(RuntimeError, match="NVTX functions not installed"):
            call()


def test_ranges_nest_and_tell_how_deep_they_are(marks):
    assert [nvtx.range_push("a"), nvtx.range_push("b")] == [0, 1]
    assert [nvtx.range_pop(), nvtx.range_pop(), nvtx.range_pop()] == [1, 0, -1]
    assert marks == [("a", "begin"), ("b", "begin"), ("b", "end"), ("a", "end")]


def test_block_or_function_has_a_name_also_when_it_fails(marks):
    @nvtx.range("f")
    def f():
        raise ValueError

    with pytest.raises(ValueError), nvtx.range("step {}", 3):
        f()
    names = ["step 3", "f", "f", "step 3"]
    assert [name for name, _ in marks] == names


def test_started_range_ends_by_its_number(marks):
    first, second = nvtx.range_start("a"), nvtx.range_start("b")
    nvtx.range_end(first)
    nvtx.range_end(second)
    nvtx.range_end(second)  # which has ended
    nvtx.mark("now")
    assert marks[2:] == [("a", "end"), ("b", "end"), ("now", "point")]


def test_range_is_a_phase_of_the_devices():
    with torch.cuda.simulate(devices=1), LanesRecorder() as lanes:
        with nvtx.range("mine"):
            torch.ones(8, device="cuda").exp()
        phases = lanes.series()["phases"]
    assert "mine" in str(phases)
