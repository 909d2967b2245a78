"""Profiles of blocks."""

from __future__ import annotations

import json
import threading

import pytest

import edutorch as torch
from edutorch.autograd import profiler

ENGINE = "autograd::engine::evaluate_function: "


def names(prof):
    return [event.name for event in prof.function_events]


def test_profile_sees_operations_nodes_and_named_blocks():
    x = torch.ones(2, 3, requires_grad=True)
    with (
        profiler.profile(record_shapes=True, profile_memory=True) as prof,
        profiler.record_function("step"),
    ):
        x.mul(torch.ones(3)).sum().backward()
    assert names(prof) == [
        "step", "aten::ones", "aten::mul", "aten::sum", "aten::ones_like",
        ENGINE + "SumBackward0", "SumBackward0", ENGINE + "MulBackward0",
        "MulBackward0", ENGINE + "torch::autograd::AccumulateGrad",
        "torch::autograd::AccumulateGrad",
    ]  # fmt: skip
    step, _, mul = prof.function_events[:3]
    assert mul.input_shapes == [[2, 3], [3]] and mul.cpu_parent is step
    assert mul.cpu_memory_usage == 24 and step.cpu_memory_usage >= 28
    assert 0 <= step.time_range.start <= mul.time_range.start and mul.thread == 1
    assert step.cpu_time_total >= mul.cpu_time_total > 0
    assert prof.self_cpu_time_total == pytest.approx(step.cpu_time_total)
    assert prof.key_averages().table(sort_by="count").count("aten::mul") == 1
    assert prof.total_average().count == 11


def test_profile_knows_the_line_and_writes_files(tmp_path):
    x = torch.ones(1)
    with profiler.profile(with_stack=True) as prof:
        x.exp()
    (event,) = prof.function_events
    assert "test_profiler.py" in event.stack[0]
    prof.export_chrome_trace(str(tmp_path / "t.json"))
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    prof.export_stacks(str(tmp_path / "s"))
    assert "test_profiler.py" in (tmp_path / "s").read_text()
    ordinary = profiler.profile()
    with ordinary:
        pass
    with pytest.raises(RuntimeError, match="requires with_stack=True"):
        ordinary.export_stacks(str(tmp_path / "s"))


def test_profiles_neither_nest_nor_run_twice_and_leave_nothing_behind():
    before = torch.events.active
    with profiler.profile() as prof:
        assert repr(prof) == "<unfinished torch.autograd.profile>" == str(prof)
        with pytest.raises(RuntimeError, match="didn't finish running"):
            prof.key_averages()
        with pytest.raises(RuntimeError, match="already enabled"):
            profiler.profile().__enter__()
    with pytest.raises(RuntimeError, match="not reentrant"):
        prof.__enter__()
    with pytest.raises(KeyError), profiler.profile():
        raise KeyError
    with profiler.profile(enabled=False) as off:
        torch.ones(1) + 1
    assert off.function_events is None and torch.events.active == before


def test_operations_of_other_threads_are_distinguished():
    with profiler.profile() as prof:
        thread = threading.Thread(target=lambda: torch.ones(1) + 1)
        thread.start()
        thread.join()
        torch.ones(1) * 2
    assert sorted(e.thread for e in prof.function_events) == [1, 1, 2, 2]


def test_profile_can_pause():
    with profiler.profile() as prof:
        torch.ones(1) + 1
        prof.toggle_collection_dynamic(False)
        torch.ones(1) * 2
        prof.toggle_collection_dynamic(True)
        torch.ones(1) - 1
    assert names(prof) == ["aten::ones", "aten::add", "aten::ones", "aten::sub"]


@pytest.mark.parametrize("name", ["step", "idle", "pause", "skip", "mine"])
def test_block_of_any_name_is_no_training_step_and_no_pause(name):
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with (
        torch.inspect.RunRecorder() as run,
        torch.inspect.GradientRecorder(model) as gradients,
        torch.inspect.TimelineRecorder() as timeline,
        profiler.profile() as prof,
    ):
        for _ in range(3):
            torch.events.mark(name, "begin")
            torch.events.mark(name, "end")
            with profiler.record_function(name):
                model(torch.ones(2)).sum().backward()
                optimizer.step()
    assert run.series()["step"] == len(gradients.series()["steps"]) == 3
    assert sum(n[5:].isdigit() for n in timeline.series()["names"]) == 3
    blocks = [event for event in prof.function_events if event.name == name]
    assert len(blocks) == 6
    updates = [e for e in prof.function_events if e.name.startswith("Optimizer.step")]
    assert [update.cpu_parent for update in updates] == blocks[1::2]


def test_named_functions_are_blocks():
    @profiler.record_function("named")
    def work():
        """Add."""
        return torch.ones(1) + 1

    with profiler.profile() as prof:
        work()
    assert (
        names(prof) == ["named", "aten::ones", "aten::add"] and work.__doc__ == "Add."
    )


def test_tools_that_are_not_there_are_refused():
    with pytest.raises(RuntimeError, match="NVTX functions not installed"):
        profiler.emit_nvtx().__enter__()
    with pytest.raises(RuntimeError, match="ITT functions not installed"):
        profiler.emit_itt().__enter__()
    with pytest.raises(RuntimeError, match="not read"):
        profiler.load_nvprof("x")
