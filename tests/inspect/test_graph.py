"""The recorder behind GraphView; which ops make a graph is in test_steps.py."""

from __future__ import annotations

import gc
import time
import weakref

import numpy as np
import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import GraphRecorder, record, value_sampling
from edutorch.inspect.graph import variables
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS, Gan


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


@pytest.fixture
def long_training(monkeypatch):
    """The share of the time for values counts from the first step on."""
    monkeypatch.setattr(value_sampling, "FREE", 0.0)


def test_snapshot_at_the_end_of_a_short_training_has_its_last_values():
    x = torch.ones(3, requires_grad=True)
    with GraphRecorder() as graph:
        for step in range(12):
            (x * (step + 2)).sum().backward()
            events.next_step()
        data = graph.snapshot()
    assert data["step"] == data["recorded_step"] == 11
    assert node(data, "mul")["stats"]["mean"] == 13.0


def test_snapshot_when_a_step_is_not_sampled_shows_the_last_values(long_training):
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


def test_snapshot_between_samples_has_values_of_the_step_it_names(long_training):
    """Each value and gradient is a known function of the step that computed it."""
    seen = set()
    with GraphRecorder() as graph:
        for step in range(40):
            x = torch.full((3,), float(step + 1), requires_grad=True)
            (x * x).sum().backward()
            events.next_step()
            data = graph.snapshot()
            of = data["recorded_step"] + 1  # what x was then
            assert node(data, "mul")["stats"]["mean"] == pytest.approx(of**2, rel=1e-4)
            (leaf,) = [n for n in data["nodes"] if n["kind"] != "op"]
            assert leaf["stats"]["mean"] == of
            assert leaf["grad"]["mean"] == 2 * of
            seen.add(data["recorded_step"] < data["step"])
    assert seen == {False, True}  # samples, and steps between them


def test_snapshot_when_the_shape_changes_samples_the_step_after(long_training):
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
        events.tensor_id(t)
    monkeypatch.setitem(__import__("sys").modules, "__main__", main)
    assert variables() == {main.weight._tensor_id: "weight"}


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


@pytest.mark.parametrize("name", ["mlp", "cnn", "lstm", "transformer"])
def test_snapshot_when_a_model_trains_has_all_ops_of_a_naive_ledger(name):
    training = TRAININGS[name]()
    with GraphRecorder() as recorder:
        training.step()
        with listening() as ledger:
            training.step()
        graph = recorder.snapshot()
    counted = [op for op in ledger.ops() if op != ("add", ())]  # of batch norm
    ops = [(n["name"], tuple(n["shape"])) for n in graph["nodes"] if n["kind"] == "op"]
    assert ops == counted
    assert graph["step"] == graph["recorded_step"] == 1


@pytest.mark.parametrize("name", ["mlp", "transformer"])
def test_snapshot_when_a_model_trains_has_values_and_gradients_as_by_hand(name):
    training, values = TRAININGS[name](), {}

    def note(module, _, out):
        values[type(module).__name__, tuple(out.shape)] = out.detach().numpy()

    for module in training.model.modules():
        if isinstance(module, torch.nn.Linear):
            module.register_forward_hook(note)
    with GraphRecorder() as recorder:
        training.step()
        graph = recorder.snapshot()
    nodes = graph["nodes"]
    linear = [n for n in nodes if n["name"] == "linear"][-1]
    seen = values["Linear", tuple(linear["shape"])]
    assert linear["stats"]["mean"] == pytest.approx(float(seen.mean()), rel=1e-3)
    assert linear["stats"]["max"] == pytest.approx(float(seen.max()), rel=1e-3)
    leaves = {n["name"]: n["grad"] for n in nodes if n["kind"] == "param"}
    for name, p in training.model.named_parameters():
        by_hand = p.grad.double().pow(2).sum().sqrt().item()
        assert leaves[name]["norm"] == pytest.approx(by_hand, rel=1e-3, abs=1e-6)


def test_snapshot_when_two_optimizers_take_turns_keeps_the_generator():
    gan = Gan()
    with GraphRecorder() as recorder:
        for _ in range(3):
            gan.step()
        graph = recorder.snapshot()
    homes = [n["module"].partition(".")[0] for n in graph["nodes"] if n["kind"] == "op"]
    linears = [n for n in graph["nodes"] if n["name"] == "linear"]
    assert len(linears) == 4
    assert homes[:6] == ["Sequential"] * 3 + ["Sequential_2"] * 3
    assert graph["step"] == 2
    (noise,) = [
        n for n in graph["nodes"] if n["kind"] == "input" and n["shape"] == [4, 2]
    ]
    assert [noise["id"], linears[0]["id"]] in graph["edges"]


def test_snapshot_when_integers_are_read_has_edges_from_them():
    training = TRAININGS["transformer"]()
    with GraphRecorder() as recorder:
        training.step()
        graph = recorder.snapshot()
    kinds = {n["id"]: n for n in graph["nodes"]}
    into = {}
    for a, b in graph["edges"]:
        into.setdefault(kinds[b]["name"], []).append(kinds[a])
    (tokens,) = [n for n in into["embedding"] if n["dtype"] == "int64"]
    assert tokens["shape"] == [2, 6] and tokens["stats"]["n"] == 12
    (labels,) = [n for n in into["cross_entropy"] if n["dtype"] == "int64"]
    assert labels["name"] in ("view", "reshape") and labels["shape"] == [12]


def test_snapshot_when_a_gradient_is_not_finite_has_no_norm():
    with GraphRecorder() as recorder:
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        (x * float("nan")).sum().backward()
        (leaf,) = [n for n in recorder.snapshot()["nodes"] if n["kind"] != "op"][:1]
    assert leaf["grad"]["norm"] is None and leaf["grad"]["nonfinite"] == 2


def test_line_of_a_node_is_that_of_its_forward():
    w = torch.ones(2, requires_grad=True)
    with GraphRecorder() as recorder:
        y = w.exp()
        assert recorder.line_of_node(y.grad_fn.seq)["text"] == "y = w.exp()"
        assert recorder.line_of_node(0) is None


def test_figures_after_an_exception_and_a_rest_are_those_computed_by_hand():
    torch.manual_seed(0)
    first, second = nn.Linear(4, 3), nn.Linear(3, 2)
    x = torch.randn(5, 4)
    with GraphRecorder() as graph:
        second(first(x)).sum().backward()
        events.next_step()
        with pytest.raises(RuntimeError):
            first(x) @ torch.ones(7, 1)
        failed = graph.snapshot()
        first.zero_grad()
        second(first(x)).sum().backward()
        events.next_step()
        done = graph.snapshot()
        time.sleep(0.05)
        with torch.no_grad():
            first(x)  # an evaluation after the last step
        rested = graph.snapshot(current=False)
    assert node(failed, "matmul")["error"]
    assert node(failed, "linear")["shape"] == [5, 3]
    assert node(failed, "linear")["grad"] is None
    sent = np.ones((5, 2)) @ second.weight.detach().numpy()
    weight, bias = x.numpy().T @ sent, sent.sum(0)
    h = x.numpy() @ first.weight.detach().numpy().T + first.bias.detach().numpy()
    for data in (done, rested):
        shapes = [n["shape"] for n in data["nodes"] if n["kind"] == "op"]
        assert shapes == [[5, 3], [5, 2], []]
        norms = [node(data, name)["grad"]["norm"] for name in ("weight", "bias")]
        want = [np.linalg.norm(weight), np.linalg.norm(bias)]
        assert norms == pytest.approx(want, rel=1e-3)
        found = node(data, "linear")
        assert found["stats"]["mean"] == pytest.approx(h.mean(), rel=1e-3)
        assert found["grad"]["norm"] == pytest.approx(np.linalg.norm(sent), rel=1e-3)
