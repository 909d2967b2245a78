"""A training step with copies of all values."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import StepRecorder
from edutorch.inspect.step_trace import trace_of
from edutorch.widgets.live import Live


def model_and_optimizer():
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.5)


def train(model, optimizer, steps=1):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(4, 2)).pow(2).mean().backward()
        optimizer.step()


def kinds(recorder):
    return [m.record[0] for m in recorder.collector.entries]


def names(recorder):
    return [m.record[6] for m in recorder.collector.entries]


def value(recorder, number):
    return recorder.collector.store.get(number).tolist()


def test_one_step_is_recorded_and_then_nothing_is_heard():
    model, optimizer = model_and_optimizer()
    with StepRecorder() as recorder:
        train(model, optimizer)
        first = names(recorder)
        assert events.taps == ()
        assert events.active == ()
        assert events.level == 0
        train(model, optimizer, 2)
        assert names(recorder) == first
    assert first[:5] == ["linear", "tanh", "linear", "pow", "mean"]
    assert kinds(recorder) == ["op"] * 5 + ["bwd"] * 9 + ["optim"]


def test_several_steps_when_asked_for_are_recorded():
    model, optimizer = model_and_optimizer()
    with StepRecorder(steps=2) as recorder:
        train(model, optimizer, 3)
    assert kinds(recorder).count("optim") == 2
    with pytest.raises(ValueError, match="at least 1"):
        StepRecorder(steps=0)


def test_initialisation_of_the_model_is_no_part_of_the_first_step():
    with StepRecorder() as steps:
        net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
        torch.nn.init.orthogonal_(net[0].weight)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.randn(5, 3)
        (net(x) * x.mean()).sum().backward()
        optimizer.step()
    names = [e.record[6] for e in steps.collector.entries if e.record[0] == "op"]
    assert names == ["linear", "linear", "mean", "mul", "sum"]


def test_next_step_when_asked_for_replaces_the_recorded_one():
    model, optimizer = model_and_optimizer()
    with StepRecorder() as recorder:
        train(model, optimizer, 2)
        recorder.collector.again()
        train(model, optimizer, 2)
        assert recorder.collector.step == 2
        assert kinds(recorder).count("optim") == 1


def test_values_in_place_changed_later_stay_as_they_were():
    w = torch.tensor([1.0, 2.0])
    with StepRecorder() as recorder:
        y = w * 3
        w.add_(10)
        z = w * 1
        y.zero_()
    mul, add, again, zero = recorder.collector.entries
    assert value(recorder, mul.inputs[0][1]) == [1, 2]
    assert value(recorder, mul.outputs[0]) == [3, 6]
    assert value(recorder, add.inputs[0][1]) == [1, 2]
    assert value(recorder, add.outputs[0]) == [11, 12]
    assert value(recorder, again.inputs[0][1]) == [11, 12]
    assert value(recorder, zero.inputs[0][1]) == [3, 6]  # as it was made
    assert z.tolist() == [11, 12]


def test_value_that_is_overwritten_unseen_is_not_made_up():
    w = torch.ones(2)
    with StepRecorder() as recorder:
        w.fill_(3)
    (fill,) = recorder.collector.entries
    assert fill.inputs[0][1] == 0
    assert value(recorder, fill.outputs[0]) == [3, 3]


def test_gradients_are_copies_of_what_arrived():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with StepRecorder() as recorder:
        (x * x).sum().backward()
        x.grad.zero_()
    leaf = recorder.collector.entries[-2]
    assert leaf.record[0] == "bwd"
    assert value(recorder, leaf.outputs[0]) == [2, 4]
    assert value(recorder, leaf.after) == [2, 4]


def test_recorder_keeps_no_tensor_alive():
    with StepRecorder() as recorder:
        x = torch.ones(3, requires_grad=True)
        y = (x * 2).sum()
        y.backward()
        arrays = [weakref.ref(t) for t in (x, y)]
        del x, y
        gc.collect()
        assert [r() for r in arrays] == [None, None]
    assert recorder.collector.store.nbytes > 0
    recorder.clear()
    assert recorder.collector.store.nbytes == 0


def test_copies_beyond_the_limit_are_dropped_and_counted():
    x = torch.ones(1000, requires_grad=True)
    with StepRecorder(limit=9000) as recorder:
        (x * 2 + 1).exp().sum().backward()
    assert recorder.collector.store.nbytes <= 9000
    data = trace_of(recorder.collector)
    assert 0 < data["dropped"] <= len(data["moments"])
    notes = [v["note"] for v in data["values"]]
    assert "dropped" in notes
    lost = [m for m in data["moments"] if _loses(m, notes)]
    assert data["dropped"] == len(lost)


def _loses(moment, notes):
    places = [p["v"] for key in ("ins", "outs", "edges") for p in moment[key]]
    return any(notes[v] == "dropped" for v in [*places, moment["after"]] if v >= 0)


def test_more_moments_than_are_held_are_counted(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.step_values.MAX_ENTRIES", 3)
    x = torch.ones(2, requires_grad=True)
    with StepRecorder() as recorder:
        (x * 2 * 3 * 4 * 5).sum().backward()
    assert len(recorder.collector.entries) == 3
    assert recorder.collector.left_out == 2 + 5 + 1


def test_recorder_that_is_full_stops_listening(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.step_values.MAX_ENTRIES", 3)
    monkeypatch.setattr("edutorch.inspect.step_values.MAX_LEFT_OUT", 5)
    x = torch.ones(2)
    with StepRecorder() as recorder:
        for _ in range(20):
            x = x + 1
        assert not recorder.collector.armed
        assert (len(recorder.collector.entries), recorder.collector.left_out) == (3, 5)
        recorder.collector.cell_began()
        x.sum()
        assert recorder.collector.armed


def test_cell_goes_on_with_what_it_uses_and_else_begins_anew():
    x = torch.ones(2, requires_grad=True)
    with StepRecorder() as recorder:
        y = x * 2
        recorder.collector.cell_began()
        z = y.sum()
        recorder.collector.cell_began()
        z.backward()
        assert names(recorder)[:2] == ["mul", "sum"]
        assert len(names(recorder)) == 5
        recorder.collector.cell_began()
        torch.ones(2).exp()
        assert names(recorder) == ["exp"]


def test_cell_that_uses_a_result_after_its_backward_begins_anew():
    x = torch.ones(2, requires_grad=True)
    with StepRecorder() as recorder:
        y = x * 2
        y.sum().backward()
        recorder.collector.cell_began()
        y.exp()
        assert names(recorder) == ["exp"]


def test_cell_after_an_interrupted_forward_begins_anew():
    model, optimizer = model_and_optimizer()
    with StepRecorder() as recorder:
        model[0](torch.ones(4, 2))  # and then Ctrl-C
        recorder.collector.cell_began()
        train(model, optimizer)
    assert kinds(recorder) == ["op"] * 5 + ["bwd"] * 9 + ["optim"]


def test_cell_after_a_failure_begins_anew():
    x = torch.ones(2, requires_grad=True)
    with StepRecorder() as recorder:
        y = x * 2
        with pytest.raises(RuntimeError):
            y @ torch.ones(3)
        assert recorder.collector.entries[-1].record[-1]  # its error
        recorder.collector.cell_began()
        y.exp()
        assert names(recorder) == ["exp"]


def test_training_that_is_paused_is_followed_from_there(monkeypatch):
    model, optimizer = model_and_optimizer()
    control = Live()
    with StepRecorder() as recorder:
        train(model, optimizer)
        assert events.taps == ()
        events.control("pause", "begin")
        assert recorder.collector.entries == []
        assert recorder.collector.partial
        events.control("pause", "end")
        train(model, optimizer)
        assert kinds(recorder)[0] == "op"
        train(model, optimizer)  # the next step in place of the last
        assert kinds(recorder).count("optim") == 1
        assert not recorder.collector.partial
        events.control("pause", "over")
        assert events.taps == ()
    control.resume()


def test_training_goes_on_where_copying_fails(monkeypatch):
    def full(self, array, alike=()):
        raise MemoryError("no room")

    model, optimizer = model_and_optimizer()
    with StepRecorder() as recorder:
        torch.ones(2) * 3
        monkeypatch.setattr("edutorch.inspect.value_store.ValueStore.keep", full)
        before = model[0].weight.tolist()
        train(model, optimizer, 2)
        assert model[0].weight.tolist() != before
        assert events.taps == ()
    assert recorder.collector.trouble == "MemoryError: no room"
    assert names(recorder) == ["mul"]


def test_ops_of_optimizers_and_loaders_are_left_out():
    with StepRecorder() as recorder:
        events.thread_local.state.phase = "optim"
        try:
            torch.ones(2) * 2
        finally:
            events.thread_local.state.phase = "forward"
        torch.ones(2).exp()
    assert names(recorder) == ["exp"]


def test_failing_backward_leaves_what_had_run():
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise KeyboardInterrupt

    x = torch.ones(2, requires_grad=True)
    with StepRecorder() as recorder:
        y = Broken.apply(x * 2)
        with pytest.raises(KeyboardInterrupt):
            y.sum().backward()
    assert names(recorder)[-1] == "SumBackward0"
    data = trace_of(recorder.collector)
    assert data["moments"][-1]["edges"][0]["to"] == -1
    np.testing.assert_equal(data["moments"][-1]["kind"], "bwd")
