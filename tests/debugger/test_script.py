"""Breakpoints inside forward and backward, in a script run as an IDE runs it."""

from __future__ import annotations

import pytest

pytest.importorskip("debugpy", reason="needs debugpy")

from edutorch.ops.activations.rectifiers import Relu
from edutorch.ops.matmul.matrix_products import Mm
from tests.debugger.dap import Session, line_of

SCRIPT = """
import threading
import edutorch as torch

main = threading.get_native_id()
x = torch.tensor([[1.0, -2.0], [3.0, 4.0]], requires_grad=True)
w = torch.tensor([[1.0, 0.0], [0.0, 1.0]], requires_grad=True)
loss = (x @ w).relu().sum()
loss.backward()
print("gradient", w.grad.tolist())
"""


@pytest.fixture
def start(tmp_path):
    sessions = []

    def run(text, breakpoints):
        script = tmp_path / "script.py"
        script.write_text(text)
        sessions.append(Session(script, breakpoints))
        return sessions[-1]

    yield run
    for session in sessions:
        session.kill()


def test_breakpoint_in_a_formula_stops_on_the_callers_thread(start):
    path, line = line_of(Mm.backward, "a, b = self.inputs")
    session = start(SCRIPT, {path: [line]})
    assert session.verified == [True]
    frames = session.stop()
    assert frames[0]["name"].endswith("backward") and frames[0]["line"] == line
    names = [frame["name"].rsplit(".", 1)[-1] for frame in frames]
    assert names[1] == "steps"  # the engine calls the formula itself
    assert "<module>" in names  # the caller's own thread: its lines are below
    shown = session.locals(frames[0])
    assert shown["self"].startswith("<MmBackward0 object at")
    assert "array([[1." in shown["g"]
    assert (
        session.evaluate(
            "threading.get_native_id() == main", session.script_frame(frames)
        )
        == "True"
    )
    frames = session.step("next")
    assert "-2." in session.locals(frames[0])["a"]
    session.go_on()
    assert "gradient [[4.0, 3.0], [2.0, 4.0]]" in session.end()


def test_breakpoint_in_forward_is_three_frames_from_the_call(start):
    path, line = line_of(Relu.forward, "return")
    session = start(SCRIPT, {path: [line]})
    frames = session.stop()
    names = [frame["name"].rsplit(".", 1)[-1] for frame in frames]
    formula = Relu.forward.__name__  # the kernel, where it is the whole formula
    assert names[:4] == [formula, "apply1", "relu", "<module>"]
    session.go_on()
    assert "gradient" in session.end()


def test_edutorch_breakpoint_stops_in_the_engine_and_steps_into_the_formula(start):
    text = SCRIPT.replace(
        "loss.backward()",
        'torch.breakpoint(op="matmul", phase="backward")\nloss.backward()',
    )
    session = start(text, {})
    frames = session.stop()
    assert frames[0]["name"].endswith("_run_slow_path")
    assert session.evaluate("node.name()", frames[0]) == "'MmBackward0'"
    for _ in range(6):
        frames = session.step("stepIn")
        if frames[0]["name"].rsplit(".", 1)[-1] == "backward":
            break
    assert frames[0]["source"]["path"] == Mm.backward.__code__.co_filename
    session.go_on()
    assert "gradient" in session.end()


def test_nonfinite_breakpoint_stops_where_the_nan_is_made(start):
    text = SCRIPT.replace(
        "loss.backward()",
        "x0 = torch.zeros(2, requires_grad=True)\n"
        'torch.breakpoint(phase="backward", when="nonfinite")\n'
        "(x0.sqrt() * 2).sum().backward()\nloss.backward()",
    )
    session = start(text, {})
    frames = session.stop()
    assert session.evaluate("node.name()", frames[0]) == "'SqrtBackward0'"
    assert "inf" in session.evaluate("results", frames[0])
    session.go_on()
    assert "gradient" in session.end()
