"""Bytes by category and device."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events
from edutorch.inspect import MemoryRecorder
from edutorch.inspect.memory import Timeline, device_kind


def test_series_when_a_graph_is_held_splits_bytes_by_category():
    x = torch.ones(100, requires_grad=True)
    with MemoryRecorder() as memory:
        y = x * 2
        y.sum().backward()
        held = dict(
            zip(memory.series("cpu")["categories"], memory.series()["bytes"][-1])  # noqa: B905
        )
    assert held["gradient"] == 400
    assert held["activation"] == 400
    assert y is not None


def test_series_when_everything_died_is_back_to_nothing():
    with MemoryRecorder() as memory:
        x = torch.ones(1000) + 1
        del x
        series = memory.series("cpu")
    assert series["now"] == 0
    assert series["peak"] == 8000
    assert sum(series["bytes"][-1]) == 0


def test_series_when_opened_late_counts_what_others_know():
    with MemoryRecorder("test.early"):
        x = torch.ones(1000) + 1
        with MemoryRecorder("test.late") as late:
            assert late.series("cpu")["now"] >= x.untyped_storage().nbytes


def test_series_when_a_step_ends_has_a_mark():
    with MemoryRecorder() as memory:
        torch.ones(1) + 1
        events.next_step()
        events.mark("epoch 1")
    names = [mark["name"] for mark in memory.series()["marks"]]
    assert names[0].startswith("step ")
    assert names[1] == "epoch 1"


def test_series_when_steps_are_many_keeps_other_marks():
    with MemoryRecorder() as memory:
        torch.ones(1) + 1
        events.mark("epoch 1")
        for _ in range(300):
            events.next_step()
    names = [mark["name"] for mark in memory.series()["marks"]]
    assert names[0] == "epoch 1" and len(names) < 70
    assert sum(name.startswith("step ") for name in names) > 20


def test_series_when_a_gpu_is_full_has_a_mark():
    with torch.cuda.simulate(devices=1, memory="4MB"), MemoryRecorder() as memory:
        x = torch.ones(300, device="cuda:0")
        before = memory.series("cuda:0")["rev"]
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:0")
        marks = memory.series("cuda:0")["marks"]
    assert memory.series("cuda:0")["rev"] > before
    assert [m["name"] for m in marks] == ["out of memory: +8.00 MiB"]
    assert x.numel() == 300


def test_series_when_nothing_ran_is_empty():
    series = MemoryRecorder().series()
    assert series["t"] == []
    assert series["kind"] == "CPU storages"


def test_series_when_on_a_simulated_gpu_says_so_and_agrees_with_its_books():
    with torch.cuda.simulate(devices=2, memory="64MB"), MemoryRecorder() as memory:
        x = torch.ones(300, device="cuda:1")
        y = x + 1
        series = memory.series()
        allocated = torch.cuda.memory_allocated("cuda:1")
    assert series["device"] == "cuda:1"
    assert series["kind"] == "simulated GPU"
    assert series["limit"] == 64 * 2**20
    assert series["reserved"] > 0
    assert series["now"] == allocated
    assert y is not None
    assert memory.series("cuda:1")["kind"] == "simulated GPU"  # also afterwards


def test_timeline_when_full_merges_pairs_and_keeps_the_peak():
    line = Timeline(size=8)
    for k in range(1000):
        nbytes = 99 if k == 637 else 1
        line.add(k * 10**7, nbytes, [nbytes])
    times, rows = line.samples()
    assert len(times) <= 16
    assert max(row[0] for row in rows) == 99
    assert times == sorted(times)


def test_timeline_when_memory_comes_and_goes_keeps_both_ends():
    line = Timeline(size=8)
    for k in range(60):
        line.add(k * 10**6, 5 + 4 * (k % 2), [5 + 4 * (k % 2)])
    assert {row[0] for row in line.samples()[1]} == {5, 9}
    for k in range(60, 1000):
        line.add(k * 10**6, 5 + 4 * (k % 2), [5 + 4 * (k % 2)])
    assert {row[0] for row in line.samples()[1]} == {9}  # stretches are long now


def trained(steps, hold=None):
    model, held = torch.ones(100, requires_grad=True), []
    for step in range(steps):
        big = 100 if step == hold else 1
        held = [torch.ones(100) * 2 for _ in range(big)]
        (model * 2).sum().backward()
        model.grad = None
        events.next_step()
    return held


def test_series_when_steps_are_alike_shows_the_last_in_full():
    with MemoryRecorder() as memory:
        held = trained(4)
        (step,) = memory.series()["steps"]
    assert held
    assert step["name"] == "the last and fullest"
    assert step["step"] == 3
    assert [p["name"] for p in step["phases"]][:2] == ["forward", "backward"]
    assert step["t"] == sorted(step["t"])
    assert 0 <= step["t"][-1] <= step["ms"]


def test_series_when_an_earlier_step_was_fuller_shows_both():
    with MemoryRecorder() as memory:
        trained(5, hold=2)
        series = memory.series()
    fullest, last = series["steps"]
    assert (fullest["step"], fullest["name"]) == (2, "the fullest")
    assert (last["step"], last["name"]) == (4, "the last")
    assert max(map(sum, fullest["bytes"])) == series["peak"]


def test_series_when_no_step_has_ended_has_none():
    with MemoryRecorder() as memory:
        torch.ones(3) + 1
        assert memory.series()["steps"] == []


def test_device_kind_when_the_simulation_is_over_is_a_gpu():
    assert device_kind("cuda:7")[0] == "GPU"


def test_timeline_when_nothing_happens_for_long_shows_what_is_left():
    line = Timeline()
    for ns, nbytes in ((0, 1), (10, 9), (20, 4), (5 * 10**9, 6)):
        line.add(ns, nbytes, [nbytes])
    times, rows = line.samples()
    assert [row[0] for row in rows] == [1, 9, 4, 6]
    assert times == sorted(times)
    assert times[2] <= 10**6


def test_timeline_when_busy_shows_the_envelope_only():
    line = Timeline(size=8)
    for k in range(4000):
        line.add(k * 10**7, 1 + k % 3, [1 + k % 3])
    rows = [row[0] for row in line.samples()[1]]
    assert set(rows[:-1]) == {3}
