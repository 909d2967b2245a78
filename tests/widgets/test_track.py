"""`for batch in track(loader)`: however the loop ends."""

from __future__ import annotations

import itertools
import sys
from io import StringIO

import pytest

import edutorch as torch
from edutorch import nn, optim
from edutorch.inspect import RunStore
from edutorch.utils.data import DataLoader, TensorDataset
from edutorch.widgets import track
from edutorch.widgets import track as tracking


@pytest.fixture(autouse=True)
def _forget_monitors(monkeypatch, tmp_path):
    monkeypatch.setenv("EDUTORCH_RUNS", str(tmp_path / "runs.db"))
    yield
    monitors = sys.modules[tracking.__module__]._monitors
    for monitor in monitors.values():
        monitor.freeze()
    monitors.clear()


def loader(batches=5):
    data = TensorDataset(
        torch.arange(4.0 * batches).reshape(-1, 2), torch.ones(2 * batches)
    )
    return DataLoader(data, batch_size=2)


def fit(batches, lr=0.1):
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters(), lr=lr)
    for x, _y in batches:
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()


def test_loop_gets_every_batch_of_the_loader():
    got = [x.tolist() for x, _ in track(loader())]
    assert got == [x.tolist() for x, _ in loader()]


def test_loop_is_watched_from_beginning_to_end():
    batches = track(loader(), name="net", lr=0.1)
    fit(batches)
    data = batches.monitor.refresh()
    assert (data["state"], data["done"], data["total"], data["unit"]) == (
        "done", 5, 5, "samples/s",
    )  # fmt: skip
    assert [s["name"] for s in data["series"]][:2] == ["loss", "lr"]
    assert data["series"][0]["steps"] == [0, 1, 2, 3, 4]
    assert RunStore().runs()[0]["state"] == "done"


def test_epochs_of_a_loop_are_one_run():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, _ in (batches := track(loader())):
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()
        batches.log(epoch=epoch)
    data = batches.monitor.refresh()
    assert (data["passes"], data["step"], data["done"]) == (3, 15, 5)
    epochs = next(s for s in data["series"] if s["name"] == "epoch")
    assert (epochs["steps"], epochs["values"]) == ([4, 9, 14], [0.0, 1.0, 2.0])
    assert len(RunStore().runs()) == 1


def test_another_training_in_the_same_loop_is_another_run():
    for _ in range(2):
        fit(batches := track(loader()))
    data = batches.monitor.refresh()
    assert (data["step"], len(data["others"])) == (5, 1)
    assert len(RunStore().runs()) == 2


def test_other_settings_make_another_run():
    for lr in (0.1, 0.2):
        for _ in (batches := track(loader(), lr=lr)):
            batches.log(x=lr)
    data = batches.monitor.refresh()
    assert data["run"]["settings"] == [["lr", "0.2"]]
    assert data["others"][0]["settings"] == [["lr", "0.1"]]


def test_loop_that_is_left_is_stopped():
    batches = track(loader())
    for i, _ in enumerate(batches):
        if i == 2:
            break
    data = batches.monitor.refresh()
    assert (data["state"], data["done"]) == ("stopped", 2)


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt()])
def test_exception_in_the_body_comes_through(error):
    batches = track(loader())
    with pytest.raises(type(error)):
        for _ in batches:
            raise error
    assert batches.monitor.refresh()["state"] in ("stopped", "running")
    assert list(track(loader())) != []


def test_exception_of_the_iterable_comes_through_and_is_named():
    def broken():
        yield 1
        raise OSError("gone")

    batches = track(broken())
    with pytest.raises(OSError, match="gone"):
        list(batches)
    assert batches.monitor.refresh()["state"] == "failed with OSError"


def test_iterable_without_a_length_has_no_time_left():
    batches = track(itertools.islice(itertools.count(), 7))
    assert list(batches) == list(range(7))
    data = batches.monitor.refresh()
    assert (data["done"], data["total"], data["left"]) == (7, None, None)
    with pytest.raises(TypeError):
        len(batches)


def test_length_is_that_of_the_iterable():
    assert len(track(loader())) == 5
    assert list(track([])) == []


def test_loops_within_loops_have_a_run_each():
    outer = track(range(2))
    for _ in outer:
        fit(track(loader()))
    assert outer.monitor.refresh()["step"] == 2
    assert outer.monitor.data["series"][0]["steps"] == [0, 1]


class Terminal(StringIO):
    def isatty(self):
        return True


def test_terminal_shows_one_line_that_ends_with_the_loop(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    for _ in (batches := track(loader())):
        batches.log(accuracy=0.5)
    written = sys.stderr.getvalue()
    assert written.endswith("\n") and written.count("\n") == 1
    assert "done: 5 of 5" in written and "accuracy 0.5" in written


def test_log_gets_one_line_for_a_loop(capsys):
    list(track(loader()))
    assert capsys.readouterr().err.count("\n") == 1


def test_terminal_that_is_closed_does_not_stop_the_loop(monkeypatch):
    closed = Terminal()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    assert len(list(track(loader()))) == 5
    monkeypatch.setattr(sys, "stderr", None)
    assert len(list(track(loader()))) == 5
