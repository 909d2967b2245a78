"""Allocations as rows: the largest alone, the others summed, no total cut."""

from __future__ import annotations

from edutorch import events, module_events
from edutorch.inspect.allocation_history import Allocation, AllocationHistory
from edutorch.inspect.memory_rows import ALONE, SEVERAL, SUMS, rows_of


def filled(n, modules=1, op="mul", shape=(2,)):
    """AllocationHistory of `n` tensors made in so many modules, each somewhat larger."""
    moments = AllocationHistory()
    for i in range(n):
        path = f"layers.{i % modules}"
        about = op, 0, "", 5, path, shape, "float32"
        fields = i, i + 1, i + 1, "cpu", "other", -1, *about
        moments.add(i, Allocation(("alloc", 0, 0, 0, 0, 0, *fields), 4))
    return moments


def test_rows_of_few_tensors_have_one_each():
    lifetimes, times = filled(3).snapshot()
    data = rows_of(lifetimes, times, ["cpu"])
    assert [row["bytes"][0] for row in data["rows"]] == [3, 2, 1]
    assert data["rows"][0]["shape"] == [2] and data["rows"][0]["name"] == "mul"


def test_rows_of_many_tensors_in_few_modules_keep_the_sums_of_each():
    lifetimes, times = filled(5000, modules=4).snapshot()
    data = rows_of(lifetimes, times, ["cpu"])
    assert len(data["rows"]) == ALONE + 4
    of = {k: m["path"] for k, m in enumerate(data["modules"])}
    for k in range(4):
        rows = [r for r in data["rows"] if of[r["module"]] == f"layers.{k}"]
        assert sum(r["bytes"][0] for r in rows) == sum(range(k + 1, 5001, 4))


def test_rows_of_many_tensors_in_as_many_modules_are_bounded_and_cut_no_total():
    lifetimes, times = filled(5000, modules=5000).snapshot()
    data = rows_of(lifetimes, times, ["cpu"])
    assert len(data["rows"]) <= ALONE + SUMS + 5
    assert sum(row["bytes"][0] for row in data["rows"]) == sum(range(1, 5001))
    assert sum(row["counts"][0] for row in data["rows"]) == 5000
    assert any(m["model"] == SEVERAL for m in data["modules"])


def test_rows_of_a_parameter_say_its_module_whoever_saw_it_first(monkeypatch):
    moments, tensor, model = filled(1), 123_456_789, 987_654_321
    moments.live[0].tensor = tensor
    monkeypatch.setitem(events.names, tensor, "encoder.0.weight")
    monkeypatch.setitem(events.homes, tensor, model)
    monkeypatch.setitem(module_events.classes, model, "Net")
    lifetimes, times = moments.snapshot()
    data = rows_of(lifetimes, times, ["cpu"])
    assert data["rows"][0]["name"] == "encoder.0.weight"
    assert data["modules"] == [{"model": "Net", "path": "encoder.0"}]
