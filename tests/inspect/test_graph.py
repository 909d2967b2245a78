"""The recorder behind GraphView; which ops make a graph is in test_steps.py."""

from __future__ import annotations

import gc
import weakref

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import GraphRecorder, record
from edutorch.inspect.graph import variables


def node(data, name):
    return next(n for n in data["nodes"] if n["name"] == name)


def test_snapshot_when_backward_has_not_been_has_no_gradients():
    x = torch.ones(2, 3, requires_grad=True)
    with GraphRecorder() as graph:
        y = (x * 2).sum()
        before = graph.snapshot()
        y.backward()
        after = graph.snapshot()
    assert node(before, "mul")["grad"] is None
    assert node(before, "mul")["bwd_us"] is None
    assert node(after, "mul")["grad"]["norm"] == 2.4495
    assert node(after, "mul")["bwd_us"] > 0
    assert after["rev"] > before["rev"]


def test_snapshot_when_nothing_happened_is_the_same_object():
    with GraphRecorder() as graph:
        torch.ones(2) * 2
        assert graph.snapshot() is graph.snapshot()


def test_snapshot_when_a_node_is_read_tells_value_place_and_attributes():
    x = torch.tensor([1.0, 2.0, 6.0])
    with GraphRecorder() as graph:
        x.sum(0, keepdim=True)
        data = node(graph.snapshot(), "sum")
    assert data["stats"]["mean"] == 9.0
    assert data["src"]["text"] == "x.sum(0, keepdim=True)"
    assert data["lib"]["func"] == "Sum.forward"
    assert "keepdim=True" in data["attrs"]
    assert data["shape"] == [1]
    assert data["bytes"] == 4


def test_snapshot_when_a_step_is_not_sampled_shows_the_last_values():
    x = torch.ones(3, requires_grad=True)
    with GraphRecorder() as graph:
        for _ in range(3):
            (x * 2).sum().backward()
            events.next_step()
        data = graph.snapshot()
    assert data["step"] == 2
    assert data["recorded_step"] == 0
    assert node(data, "mul")["stats"]["mean"] == 2.0
    assert node(data, "mul")["grad"]["norm"] is not None


def test_snapshot_when_the_shape_changes_samples_the_step_after():
    x = torch.ones(3, requires_grad=True)
    with GraphRecorder() as graph:
        for i in range(8):
            y = x * 2 if i < 5 else (x * 2).exp()
            y.sum().backward()
            events.next_step()
        assert graph.snapshot()["recorded_step"] == 6


def test_recorder_when_steps_are_watched_keeps_no_tensor_alive():
    x = torch.ones(4, requires_grad=True)
    alive = []
    with GraphRecorder() as graph:
        for _ in range(200):
            y = (x * 2).sum()
            alive.append(weakref.ref(y))
            y.backward()
            events.next_step()
        del y
        gc.collect()
        assert graph.snapshot()["nodes"]
        assert not any(ref() is not None for ref in alive)


def test_variables_when_main_holds_tensors_names_them(monkeypatch):
    main = type("Module", (), {})()
    main.weight, main._hidden, main.number = torch.ones(1), torch.ones(1), 3
    for t in (main.weight, main._hidden):
        events.tid(t)
    monkeypatch.setitem(__import__("sys").modules, "__main__", main)
    assert variables() == {main.weight._tid: "weight"}


def test_snapshot_when_training_is_evaluated_tells_of_the_graph_that_is_shown():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        for _ in range(3):
            (x * 2).sum().backward()
            events.next_step()
        with torch.no_grad():
            x - 1  # an evaluation after the last step
        data = graph.snapshot()
    assert [n["name"] for n in data["nodes"] if n["kind"] == "op"] == ["mul", "sum"]
    assert (data["step"], data["phase"]) == (2, "backward")


def test_snapshot_when_taken_after_each_record_misses_no_summary():
    x = torch.ones(2, requires_grad=True)
    with record(level=2) as recording:
        x * 2
    graph = GraphRecorder()
    for event in recording.events:
        graph.replay([event])
        data = graph.snapshot()
    assert node(data, "mul")["stats"]["mean"] == 2.0


def test_snapshot_when_a_module_is_called_meanwhile_is_taken():
    class Growing(dict):
        """Another thread calls a module whenever somebody looks through it."""

        def values(self):
            for value in super().values():
                self[len(self)] = value
                yield value

    with record() as recording:
        nn.Sequential(nn.Linear(2, 2), nn.ReLU())(torch.ones(1, 2))
    graph = GraphRecorder().replay(recording.events)
    graph._log.now.calls = Growing(graph._log.now.calls)
    assert {m["path"] for m in graph.snapshot()["modules"]} == {"0", "1"}
