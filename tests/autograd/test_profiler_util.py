"""Events, averages and tables of profiles, compared with PyTorch's."""

from __future__ import annotations

import json

import pytest

from edutorch.autograd.profiler_util import EventList, FunctionEvent, Interval
from tests.programs import Programs

programs = Programs(__file__)


def made(util):
    """Five calls, two of them inside of others."""
    told = [
        (0, "mine", 1, 0.0, 5000.0, []), (1, "aten::add", 1, 10.0, 2010.0, [[2, 3], []]),
        (2, "aten::mul", 1, 100.0, 600.5, [[2, 3], [3]]),
        (3, "aten::add", 1, 2500.0, 2501.25, [[4], [4]]),
        (4, "a name that is so long that no column of a table has room for it", 2, 0.0,
         2_000_000.0, []),
    ]  # fmt: skip
    kind = util.FunctionEvent
    events = util.EventList(
        [
            kind(id=i, name=name, thread=thread, start_us=start, end_us=end,
                 input_shapes=shapes)
            for i, name, thread, start, end, shapes in told
        ],
        use_device=None,
    )  # fmt: skip
    events._build_tree()
    return events


def util_of(torch):
    return torch.autograd.profiler_util


@programs.add
def tables(torch):
    events = made(util_of(torch))
    averages = events.key_averages()
    return [
        events.table(), events.table(sort_by="self_cpu_time_total", row_limit=2),
        events.table(header="Head", top_level_events_only=True), averages.table(),
        averages.table(sort_by="count", max_name_column_width=20),
        events.key_averages(group_by_input_shapes=True).table(sort_by="cpu_time"),
        util_of(torch).EventList([]).table(),
    ]  # fmt: skip


@programs.add
def numbers(torch):
    events = made(util_of(torch))
    averages = events.key_averages()
    return [
        [(e.name, e.cpu_time_total, e.self_cpu_time_total, e.count) for e in events],
        [[c.id for c in e.cpu_children] for e in events], events.self_cpu_time_total,
        [(a.key, a.count, a.cpu_time, a.self_cpu_time_total) for a in averages],
        [a.cpu_time_total_str for a in averages], events.total_average().count,
        repr(averages[0]), repr(events[2]), events[2].key, events[2].cpu_time_str,
    ]  # fmt: skip


programs.test()


def test_events_are_written_for_trace_viewers_and_flame_graphs(tmp_path):
    event = FunctionEvent(0, "aten::add", 1, 3.0, 8.0, [[2]], ["main", "train"])
    events = EventList([event])
    events.export_chrome_trace(str(tmp_path / "trace.json"))
    told = json.loads((tmp_path / "trace.json").read_text())["traceEvents"][-1]
    assert (told["name"], told["ts"], told["dur"]) == ("aten::add", 3.0, 5.0)
    events.export_stacks(str(tmp_path / "stacks"), "self_cpu_time_total")
    assert (tmp_path / "stacks").read_text() == "train;main 5\n"
    with pytest.raises(ValueError, match="metric should be one of"):
        events.export_stacks(str(tmp_path / "stacks"), "nonsense")


def test_memory_of_calls_includes_that_of_inner_calls():
    outer = FunctionEvent(0, "outer", 1, 0.0, 9.0, cpu_memory_usage=0)
    inner = FunctionEvent(1, "inner", 1, 1.0, 2.0, cpu_memory_usage=40)
    events = EventList([outer, inner], profile_memory=True)
    events._build_tree()
    assert (outer.cpu_memory_usage, outer.self_cpu_memory_usage) == (40, 0)
    assert "Self CPU Mem" in events.table()
    assert Interval(1, 4).elapsed_us() == 3
