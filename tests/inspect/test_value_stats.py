"""Values and gradients, of this step or an earlier one."""

from __future__ import annotations

import edutorch as torch
from edutorch import events
from edutorch.inspect import GraphRecorder


def node(data, name):
    return next(n for n in data["nodes"] if n["name"] == name)


def train(w, steps, size=lambda _: 4, prepare=False):
    x = torch.ones(20)
    for i in range(steps):
        if prepare and i == 0:
            x = x.reshape(20, 1).reshape(20)
        (x[: size(i)] * w).sum().backward()
        events.next_step()


def test_values_when_a_step_is_not_summarised_are_those_of_an_earlier_one(
    first_step_only,
):
    w = torch.tensor(3.0, requires_grad=True)
    with GraphRecorder() as graph:
        train(w, 3)
        data = graph.snapshot()
    assert data["step"] == 2
    assert data["recorded_step"] == 0
    assert node(data, "mul")["stats"]["mean"] == 3.0
    assert node(data, "mul")["grad"]["norm"] == 2.0
    assert data["nodes"][0]["stats"]["mean"] == 1.0


def test_values_when_the_first_step_prepared_its_input_are_still_found(first_step_only):
    w = torch.tensor(3.0, requires_grad=True)
    with GraphRecorder() as graph:
        train(w, 3, prepare=True)
        assert node(graph.snapshot(), "mul")["stats"] is not None


def test_values_when_the_last_batch_is_smaller_are_still_found(first_step_only):
    w = torch.tensor(3.0, requires_grad=True)
    with GraphRecorder() as graph:
        train(w, 3, size=lambda i: 4 - i // 2)
        data = node(graph.snapshot(), "mul")
    assert data["shape"] == [3]
    assert data["stats"]["n"] == 4


def test_values_when_the_graph_is_another_are_not_borrowed(first_step_only):
    w = torch.tensor(3.0, requires_grad=True)
    with GraphRecorder() as graph:
        train(w, 2)
        (w.exp() + 1).backward()
        events.next_step()
        data = node(graph.snapshot(), "exp")
    assert data["stats"] is None
    assert data["grad"] == {
        "norm": None, "min": None, "max": None, "mean": None, "std": None,
        "nonfinite": 0, "n": 0,
    }  # fmt: skip
