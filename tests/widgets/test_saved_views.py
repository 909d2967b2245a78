"""Views that are saved and opened again."""

from __future__ import annotations

import builtins
import json

import pytest

import edutorch as torch
from edutorch import events, nn, optim, widgets
from edutorch.widgets import GradientView, GraphView, MemoryView, TensorCard


def train(model, steps=3):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(4, 2)).sum().backward()
        optimizer.step()


@pytest.fixture
def views():
    model = nn.Linear(2, 1)
    with (
        GraphView() as graph,
        GradientView(model) as gradients,
        MemoryView("cpu") as memory,
        TensorCard(model.weight) as card,
    ):
        train(model)
        yield graph, gradients, memory, card


def shown(data):
    """What a view shows, without the count of its drawings: on a busy machine the
    view has been drawn once more since it was saved."""
    return {key: value for key, value in data.items() if key != "rev"}


def test_opened_views_show_the_same_and_watch_nothing(views, tmp_path):
    path = widgets.save(tmp_path / "run.edu", *views)
    before = events.active
    opened = widgets.open(path)
    assert events.active == before
    for old, new in zip(views, opened, strict=True):
        assert old.kind == new.kind
        assert shown(new.data) == shown(json.loads(json.dumps(old.refresh())))
        assert new.frozen
        assert new.text() == old.text()
        assert new.svg().startswith("<svg")


def test_opened_view_when_used_further_stays_as_it_is(views, tmp_path):
    opened = widgets.open(widgets.save(tmp_path / "run.edu", *views))
    texts = [view.text() for view in opened]
    train(nn.Linear(2, 1))
    for view, text in zip(opened, texts, strict=True):
        view.freeze()
        view.tick()
        assert view.text() == text
        assert view.status == "recorded"
        view.close()


def test_one_view_is_exported_as_a_run(views, tmp_path):
    path = views[3].export(tmp_path / "card.edu")
    (card,) = widgets.open(path)
    assert card.data["shape"] == [1, 2]


def test_recording_is_saved_with_what_it_knows(tmp_path):
    with torch.inspect.record(level=2) as recording:
        train(nn.Linear(2, 1))
    run = widgets.open(recording.save(tmp_path / "run.edu"))
    assert [view.kind for view in run] == ["graph", "gradient", "memory", "timeline"]
    assert run[1].data == recording.gradients()
    assert "4 views" in repr(run)


def test_run_outside_notebooks_prints_itself(views, tmp_path, capsys):
    widgets.open(widgets.save(tmp_path / "run.edu", *views))._ipython_display_()
    assert "GradientView" in capsys.readouterr().out


def test_star_import_of_the_views_leaves_pythons_open_alone():
    space = {}
    exec("from edutorch.widgets import *; kept = open", space)
    assert space["kept"] is builtins.open
    assert space["save"] is widgets.save
