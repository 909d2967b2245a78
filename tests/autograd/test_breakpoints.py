"""Breakpoints on operations: where they stop, and their cost when none is set."""

from __future__ import annotations

import io
import pdb  # noqa: T100 (stepping from a breakpoint is tested)
import sys

import pytest

import edutorch as torch


@pytest.fixture
def stops(monkeypatch):
    """The frames that `breakpoint()` was called in."""
    frames = []
    hook = lambda: frames.append(sys._getframe(1))
    monkeypatch.setattr(sys, "breakpointhook", hook)
    yield frames
    torch.clear_breakpoints()


def test_backward_breakpoint_stops_in_the_engine_on_this_thread(stops):
    x = torch.ones(2, 2, requires_grad=True)
    with torch.breakpoint(op="matmul", phase="backward") as b:
        (x @ x).relu().sum().backward()
    assert b.hits == 1
    (frame,) = stops
    assert frame.f_locals["node"].name() == "MmBackward0"
    assert frame.f_locals["gradient"].shape == (2, 2)


def test_forward_breakpoint_stops_before_the_op(stops):
    with torch.breakpoint(op="exp", phase="forward"):
        torch.ones(1).exp()
        torch.ones(1).log()
    assert [type(f.f_locals["op"]).__name__ for f in stops] == ["Exp"]


def test_step_into_leads_from_a_breakpoint_to_the_formula(monkeypatch):
    seen = io.StringIO()
    commands = io.StringIO("step\n" * 4 + "continue\n")
    debugger = pdb.Pdb(stdin=commands, stdout=seen, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    hook = lambda: debugger.set_trace(sys._getframe(1))
    monkeypatch.setattr(sys, "breakpointhook", hook)
    before = sys.gettrace()
    try:
        with torch.breakpoint(op="linear", phase="forward"):
            torch.nn.functional.linear(torch.ones(1, 2), torch.ones(3, 2))
    finally:
        sys.settrace(before)
    assert "_between_breakpoints()" in seen.getvalue()
    assert "ops/matmul/linear.py" in seen.getvalue()
    assert "half_precision" not in seen.getvalue()


def test_nonfinite_condition_stops_only_where_it_is_made(stops):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with torch.breakpoint(phase="backward", when="nonfinite") as b:
        (x.sqrt() * 2).sum().backward()
    assert b.hits == 1
    assert stops[0].f_locals["node"].name() == "SqrtBackward0"


def test_condition_of_ones_own_and_module_path(stops):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    big = lambda op, arrays: arrays[0].size > 3
    with torch.breakpoint(module="1", phase="forward") as inside:
        model(torch.ones(2, 2))
    with torch.breakpoint(op="relu", phase="forward", when=big) as large:
        torch.ones(2).relu()
        torch.ones(2, 2).relu()
    assert inside.hits == 1 and large.hits == 1


def test_removed_breakpoint_stops_no_more_and_nobody_listens(stops):
    b = torch.breakpoint(op="exp")
    b.remove()
    torch.ones(1).exp()
    assert stops == []
    assert not torch.events.active


def test_senseless_conditions_are_refused():
    with pytest.raises(ValueError, match="phase"):
        torch.breakpoint(phase="sideways")
    with pytest.raises(ValueError, match="when"):
        torch.breakpoint(when="sometimes")
