"""MemoryTree; what it shares with other views is in test_view.py."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import widgets
from edutorch.inspect import record
from edutorch.widgets import MemoryTree, MemoryView
from tests.inspect.models import TRAININGS, mlp


def test_view_when_training_goes_on_is_brought_up_to_date():
    with MemoryTree("cpu") as view:
        assert view.data["rows"] == []
        mlp().step()
        assert view.tick() > 0
        view.tick()  # what was released meanwhile
        assert view.tick() == 0  # nothing new
        names = {row["name"] for row in view.data["rows"]}
    assert "exp_avg of 0.weight" in names


@pytest.mark.parametrize("name", TRAININGS)
def test_view_beside_memory_view_says_the_same(name):
    with MemoryTree("cpu") as tree, MemoryView("cpu") as memory:
        training = TRAININGS[name]()
        for _ in range(3):
            training.step()
        data, series = tree.refresh(), memory.refresh()
    for moment, total in enumerate((series["now"], series["peak"])):
        assert sum(row["bytes"][moment] for row in data["rows"]) == total


def test_mark_when_called_keeps_a_moment():
    with MemoryTree() as view:
        x = torch.ones(10) + 1
        view.mark("small")
        y = torch.ones(1000) + 1
        data = view.refresh()
        assert data["moments"][-1] == {"kind": "mark", "name": "small"}
        assert sum(row["bytes"][-1] for row in data["rows"]) < y.nbytes
        view.marked = 1  # as the button does
        assert view.data["moments"][-1]["name"] == "mark 1"
    view.marked = 2
    view.mark("late")
    assert view.data["moments"][-1]["name"] == "mark 1"
    assert x.shape == (10,)


def test_view_of_a_recording_shows_its_peak():
    with record() as recording:
        x = torch.ones(1000) * 2
        del x
    view = MemoryTree.of(recording)
    assert view.frozen
    assert "peak 7.8 KB" in view.text().splitlines()[0]


def test_view_when_written_to_files_and_opened_again_is_the_same(tmp_path):
    with MemoryTree("cpu") as view:
        training = mlp()
        training.step()
        saved = view.export(tmp_path / "run.edu")
        assert b"<svg" in view.export(tmp_path / "run.svg").read_bytes()
        page = view.export(tmp_path / "run.html").read_text(encoding="utf-8")
        text, data = view.text(), view.data
    assert "exp_avg of 0.weight" in page
    (opened,) = widgets.open(saved)
    assert isinstance(opened, MemoryTree)
    assert opened.data == data
    assert opened.text() == text


def test_view_when_a_simulated_gpu_is_there_says_simulated_and_what_is_reserved():
    with torch.cuda.simulate(memory="8MB"), MemoryTree() as view:
        x = torch.ones(1000, device="cuda:0") + 1
        title = view.text().splitlines()[0]
        assert "cuda:0 (simulated GPU)" in title and "reserved beyond that" in title
    assert x.shape == (1000,)


def test_view_when_names_are_hostile_writes_none_of_them_as_markup():
    class Evil(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("<script>alert(1)</script>", torch.nn.Linear(300, 200))

        def forward(self, x):
            return next(self.children())(x)

    Evil.__name__ = "<img src=x>"
    with MemoryTree("cpu") as view:
        y = Evil()(torch.ones(4, 300))
        svg = view.svg()
    assert "<script>" not in svg and "<img" not in svg
    assert y.shape == (4, 200)
