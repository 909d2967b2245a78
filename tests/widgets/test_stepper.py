"""Stepper; what it shares with other views is in test_view.py."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events, nn, widgets
from edutorch.inspect import record
from edutorch.widgets import Stepper


def train(steps=1):
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with torch.no_grad():
        model.weight.fill_(3.0)
        model.bias.fill_(1.0)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.tensor([[2.0]])).sum().backward()
        optimizer.step()


def test_view_shows_a_step_while_it_is_open():
    with Stepper() as stepper:
        assert stepper.data["state"] == "waiting"
        train()
        assert stepper.tick() == 0  # it may be running still
        assert stepper.tick() > 0
        assert stepper.tick() == 0  # nothing new
        words = stepper.text()
    assert "y = x wᵀ + b: [0, 0]: 2 · 3 + 1 = 7" in words
    assert "∂L/∂w = gᵀ x (to weight): [0, 0]: 1 · 2 = 2" in words
    assert "weight: [3] → [2]" in words


def test_view_of_a_paused_training_shows_each_op_at_once():
    x = torch.tensor([2.0])
    with Stepper() as stepper:
        events.control("pause", "begin")
        assert stepper.tick() > 0
        for count in (1, 2):
            events.control("pause", "end")
            x * 3
            events.control("pause", "begin")
            assert stepper.tick() > 0
            assert len(stepper.data["moments"]) == count
            assert stepper.data["state"] == "paused"


def test_values_are_copied_only_while_a_view_is_open():
    with Stepper() as stepper:
        train()
        store = stepper._recorder.collector.store
        assert store.nbytes > 0
    assert (store.nbytes, events.taps, events.active) == (0, (), ())
    assert "2 · 3 + 1 = 7" in stepper.text()  # what was sent stays


def test_next_step_is_recorded_when_asked_for():
    with Stepper() as stepper:
        train(3)
        assert stepper.refresh()["step"] == 0
        stepper.record_next()
        train(2)
        assert stepper.refresh()["step"] == 3
    with pytest.raises(RuntimeError, match="no longer records"):
        stepper.record_next()


def test_cell_that_trains_replaces_the_step():
    with Stepper() as stepper:
        train(2)
        stepper.cell_began()
        assert stepper.refresh()["moments"]
        torch.ones(2).exp()
        names = [m["name"] for m in stepper.refresh()["moments"]]
    assert "exp" in names
    assert "linear" not in names


def test_recording_with_values_is_shown_and_saved(tmp_path):
    with record(values=True) as recording:
        train(2)
    stepper = Stepper(recording)
    assert stepper.frozen
    assert "2 · 3 + 1 = 7" in stepper.text()
    opened = widgets.open(recording.save(tmp_path / "run.edu"))
    assert [view.kind for view in opened].count("stepper") == 1
    assert opened[-1].text() == stepper.text()
    with record() as recording:
        train()
    with pytest.raises(ValueError, match="record\\(values=True\\)"):
        Stepper(recording)


def test_view_is_written_to_files_and_opened_again(tmp_path):
    with Stepper() as stepper:
        train()
        saved = stepper.export(tmp_path / "run.edu")
        assert b"<svg" in stepper.export(tmp_path / "run.svg").read_bytes()
        page = stepper.export(tmp_path / "run.html").read_text(encoding="utf-8")
        data = stepper.data
    assert '"plug"' in page or "gᵀ x" in page
    (opened,) = widgets.open(saved)
    assert isinstance(opened, Stepper)
    assert opened.data == data
