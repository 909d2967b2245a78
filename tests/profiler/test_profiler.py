"""Profiles with schedules."""

from __future__ import annotations

import gzip
import json

import pytest

import edutorch
from edutorch import profiler
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def schedules(torch):
    make = torch.profiler.schedule
    plans = [
        make(wait=1, warmup=1, active=2), make(wait=2, warmup=1, active=1, repeat=2),
        make(wait=1, warmup=2, active=3, skip_first=4),
        make(wait=3, warmup=1, active=2, skip_first=1, skip_first_wait=1),
    ]  # fmt: skip
    return [
        [[plan(step).name for step in range(16)] for plan in plans],
        attempt(lambda: make(wait=-1, warmup=0, active=1)),
        attempt(lambda: plans[0](-1)),
        warned(lambda: make(wait=0, warmup=0, active=1)(0).name),
    ]


@programs.add
def rounds(torch):
    seen = []
    plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2)
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], schedule=plan,
        on_trace_ready=lambda p: seen.append(p.step_num),
    ) as prof:  # fmt: skip
        for _ in range(9):
            torch.ones(2).exp()
            prof.step()
    found = {e.key: e.count for e in prof.key_averages()}
    steps = sorted(key for key in found if key.startswith("ProfilerStep"))
    return [seen, found["aten::exp"], steps, prof.step_num]


programs.test()


def test_profile_without_a_schedule_covers_all_of_its_block(tmp_path):
    ready = []
    with profiler.profile(on_trace_ready=ready.append, record_shapes=True) as prof:
        edutorch.ones(2, 3).exp()
    assert ready == [prof] and prof.events()[-1].input_shapes == [[2, 3]]
    prof.add_metadata("run", "one")
    prof.add_metadata_json("sizes", "[1, 2]")
    prof.export_chrome_trace(str(tmp_path / "t.json.gz"))
    with gzip.open(tmp_path / "t.json.gz") as file:
        told = json.load(file)
    assert told["run"] == "one" and told["sizes"] == [1, 2] and told["traceEvents"]


def test_traces_are_written_where_tensorboard_looks(tmp_path):
    write = profiler.tensorboard_trace_handler(str(tmp_path / "runs"), "me", True)
    with profiler.profile(on_trace_ready=write):
        edutorch.ones(2).exp()
    (file,) = (tmp_path / "runs").iterdir()
    assert file.name.startswith("me.") and file.name.endswith(".pt.trace.json.gz")


def test_nothing_timed_is_refused():
    with pytest.raises(AssertionError, match="must be initialized"):
        profiler.profile().events()
    assert profiler.supported_activities() == {profiler.ProfilerActivity.CPU}
    assert profiler.kineto_available() is False
