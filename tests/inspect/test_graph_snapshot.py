"""From records to a graph."""

from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import GraphRecorder, value_sampling
from edutorch.inspect.graph_snapshot import MAX_BYTES, shrink


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.body(x))


def snapshot_of(run):
    with GraphRecorder() as graph:
        run()
        return graph.snapshot()


def test_snapshot_when_a_model_runs_knows_modules_and_parameter_names():
    model = Net()
    data = snapshot_of(lambda: model(torch.ones(5, 4)))
    paths = {m["path"]: (m["cls"], m["parent"]) for m in data["modules"]}
    assert paths["body"] == ("Sequential", "")
    assert paths["body.0"] == ("Linear", "body")
    params = {n["name"]: n for n in data["nodes"] if n["kind"] == "param"}
    assert set(params) == {"body.0.weight", "body.0.bias", "head.weight", "head.bias"}
    assert params["body.0.weight"]["module"] == "body.0"
    assert params["body.0.weight"]["shape"] == [3, 4]
    assert params["body.0.weight"]["stats"]["n"] == 12


def test_snapshot_when_a_module_uses_a_buffer_places_it_in_that_module():
    class Shift(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("offset", torch.ones(4))

        def forward(self, x):
            return x + self.offset

    model = nn.Sequential(nn.Sequential(nn.Linear(4, 4)), Shift())
    data = snapshot_of(lambda: model(torch.ones(5, 4)))
    offset = next(n for n in data["nodes"] if n["name"] == "1.offset")
    assert (offset["kind"], offset["module"]) == ("const", "1")


def test_snapshot_when_batch_norm_counts_its_batches_leaves_that_out():
    model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3))
    data = snapshot_of(lambda: model(torch.ones(5, 4)))
    ops = [n["name"] for n in data["nodes"] if n["kind"] == "op"]
    assert ops == ["linear", "batch_norm"]
    assert not [n for n in data["nodes"] if n["kind"] == "const"]


def test_snapshot_of_values_of_an_earlier_step_needs_no_counter(monkeypatch):
    monkeypatch.setattr(value_sampling, "FREE", 0.0)
    model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3))

    def train():
        for _ in range(4):
            model(torch.ones(5, 4)).sum().backward()
            events.next_step()

    with GraphRecorder() as graph:
        train()
        events.described.clear()  # as after many steps: old tensors are forgotten
        data = graph.snapshot()
    ops = [n for n in data["nodes"] if n["kind"] == "op"]
    assert data["recorded_step"] < data["step"]
    assert all(n["stats"] for n in ops)


def test_snapshot_when_scalars_lead_to_a_result_keeps_them():
    class Scale(nn.Module):
        def forward(self, x):
            return x * (torch.tensor(2.0) + 1.0)

    data = snapshot_of(lambda: Scale()(torch.ones(3)))
    ops = [n["name"] for n in data["nodes"] if n["kind"] == "op"]
    assert ops == ["add", "mul"]


def test_snapshot_when_a_loss_module_is_called_keeps_the_model_in_the_graph():
    model, loss = Net(), nn.MSELoss()
    data = snapshot_of(lambda: loss(model(torch.ones(5, 4)), torch.zeros(5, 2)))
    modules = [n["module"] for n in data["nodes"] if n["kind"] == "op"]
    assert "body.0" in modules
    assert modules[-1] == "MSELoss"


def test_snapshot_when_two_models_run_tells_their_paths_apart():
    class Other(Net):
        pass

    first, second = Net(), Other()
    data = snapshot_of(lambda: second(first(torch.ones(5, 4)).repeat(1, 2)))
    modules = {n["module"] for n in data["nodes"] if n["kind"] == "op"}
    assert {"Net.body.0", "Other.body.0"} <= modules


def test_snapshot_when_evaluating_in_batches_shows_the_last_batch():
    model = Net()
    x = torch.ones(20, 4)

    def evaluate():
        right = torch.zeros(())
        with torch.no_grad():
            for i in range(0, 20, 5):
                right = right + (model(x[i : i + 5]) > 0).sum()

    data = snapshot_of(evaluate)
    linear = [n for n in data["nodes"] if n["module"] == "body.0" and n["kind"] == "op"]
    assert len(linear) == 1


def test_edges_when_read_join_known_nodes_forwards():
    model = Net()
    data = snapshot_of(lambda: model(torch.ones(5, 4)).sum().backward())
    position = {n["id"]: i for i, n in enumerate(data["nodes"])}
    assert all(position[a] < position[b] for a, b in data["edges"])


def test_ids_when_the_same_graph_runs_again_stay():
    model = Net()

    def ids():
        data = snapshot_of(lambda: model(torch.ones(5, 4)))
        return [n["id"] for n in data["nodes"]]

    assert ids() == ids()


def test_leaf_when_unnamed_is_an_input_or_a_constant():
    x = torch.ones(3)
    data = snapshot_of(lambda: x * torch.tensor(2.0))
    kinds = {n["kind"] for n in data["nodes"]}
    assert kinds == {"op", "input", "const"}


def test_leaf_when_a_gradient_reached_it_is_a_parameter():
    w = torch.ones(3, requires_grad=True)
    data = snapshot_of(lambda: (w * 2).sum().backward())
    assert data["nodes"][0]["kind"] == "param"


@pytest.mark.parametrize("needs", [False, True])
def test_result_of_an_in_place_change_is_linked_to_what_uses_it(needs):
    def program():
        a = torch.ones(3, requires_grad=needs) * 1
        a.add_(1)
        return a * 2

    data = snapshot_of(program)
    made = {node["id"] for node in data["nodes"] if node["kind"] == "op"}
    used = {source for source, _ in data["edges"]}
    assert len(made - used) == 1  # the last result alone


def test_leaf_that_an_optimizer_changes_stays_the_same_to_watchers():
    w = torch.ones(3, requires_grad=True)
    with torch.inspect.record():
        before = torch.events.tensor_id(w)
        (w * w).sum().backward()
        with torch.no_grad():
            w.sub_(w.grad)
    assert torch.events.tensor_id(w) == before


def test_snapshot_when_values_are_not_finite_is_still_json():
    x = torch.tensor([1.0, float("nan"), float("inf")])
    data = snapshot_of(lambda: x * 1)
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text)["nodes"][-1]["stats"]["nonfinite"] == 2


@pytest.fixture(scope="module")
def long_graph():
    x = torch.ones(2)
    with GraphRecorder() as graph:
        y = x
        for _ in range(12_000):
            y = y + x
        return graph.snapshot()


def test_snapshot_when_long_stays_within_its_size_and_counts_what_it_dropped(
    long_graph,
):
    assert len(json.dumps(long_graph)) <= MAX_BYTES
    ops = sum(n["kind"] == "op" for n in long_graph["nodes"])
    assert (ops, long_graph["dropped"]) == (10_000, 2000)


def test_shrink_drops_the_oldest_nodes_and_counts_them(long_graph):
    small = shrink(long_graph, 1_000_000)
    assert len(json.dumps(small)) <= 1_000_000
    assert 0 < len(small["nodes"]) < 4000
    assert small["nodes"][-1] | {"src": None, "lib": None} == (
        long_graph["nodes"][-1] | {"src": None, "lib": None}
    )
    gone = len(long_graph["nodes"]) - len(small["nodes"])
    assert small["dropped"] == 2000 + gone


def test_shrink_when_small_changes_nothing(long_graph):
    data = {"nodes": long_graph["nodes"][:3], "edges": [], "dropped": 0}
    assert shrink(data) == data


def test_steps_when_a_recorder_opens_late_are_counted_from_there():
    events.next_step()
    with GraphRecorder() as graph:
        torch.ones(1) + 1
        assert graph.snapshot()["step"] == 0
