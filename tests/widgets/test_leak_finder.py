"""LeakFinder; what it shares with other views is in test_view.py."""

from __future__ import annotations

import gc
import json
import weakref

import pytest

import edutorch as torch
from edutorch import nn, optim, widgets
from edutorch.inspect import step_throttle
from edutorch.inspect.step_throttle import throttle
from edutorch.inspect.view_schemas import check_view
from edutorch.widgets import LeakFinder
from tests.inspect.leaky_programs import LEAKS, RIGHT, run_program


def train(steps=12, kept=None):
    model = nn.Linear(4, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).square().mean()
        loss.backward()
        optimizer.step()
        if kept is not None:
            kept.append(loss)


def test_view_shows_growth_live_and_explains_it_when_the_cell_ends():
    losses: list = []
    with LeakFinder(seconds=20.0) as finder:
        train(12, losses)
        assert finder.tick() > 0
        assert finder.data["lines"][0]["state"] == "leak"
        assert finder.data["answers"] == []  # nothing is searched while a cell runs
        finder.cell_ended()
        (answer,) = finder.refresh()["answers"]
        assert answer["cause"]["change"] == "kept.append(loss.item())"
        assert answer["holders"][0][0] in ("losses", "kept")
        assert finder.tick() == 0 or finder.tick() == 0


def test_right_training_is_said_to_be_right():
    with LeakFinder() as finder:
        train()
        assert repr(finder.text()).count("nothing grows in 12 steps") == 1


def test_page_asks_about_a_line_and_is_answered():
    losses: list = []
    with LeakFinder(seconds=20.0) as finder:
        train(5, losses)
        (line,) = [r["id"] for r in finder.refresh()["lines"] if r["nodes"]]
        finder.ask = [line, 1]
        assert [a["line"] for a in finder.data["answers"]] == [line]
        finder.ask = [-1, 2]  # what has no line has a name
        assert (
            finder.data["answers"][0]["name"]
            == "parameters, gradients, optimizer, data"
        )
        finder.ask = [10**9, 3]  # a line that nobody knows
        assert [a["line"] for a in finder.data["answers"]] == [-1, line]
        check_view("leaks", finder.data)


def test_reason_of_an_object_tells_its_path():
    table = {"deep": [torch.ones(2)]}
    with LeakFinder(seconds=20.0) as finder:
        told = repr(finder.why(table["deep"][0], "mine"))
        assert told.startswith("mine: tensor 2 float32")
        assert "table → ['deep'] → [0]" in told
        assert finder.data["answers"][0]["name"] == "mine"
    assert "['deep']" in repr(finder.why(table["deep"][0], "again"))  # also when closed
    assert [a["name"] for a in finder.data["answers"]] == ["again", "mine"]


def test_view_is_written_to_files_and_opened_again(tmp_path):
    losses: list = []
    with LeakFinder(seconds=20.0) as finder:
        train(12, losses)
        finder.explain()
        saved = finder.export(tmp_path / "run.edu")
        assert b"<svg" in finder.export(tmp_path / "run.svg").read_bytes()
        page = finder.export(tmp_path / "run.html").read_text(encoding="utf-8")
        data = finder.data
    assert "kept.append(loss.item())" in page
    (opened,) = widgets.open(saved)
    assert isinstance(opened, LeakFinder)
    assert opened.data == data
    assert "kept.append(loss.item())" in opened.text()
    opened.ask = [0, 1]  # a page of a file that asks is not answered, and nothing fails


@pytest.mark.parametrize("steps", [0, 3])
def test_view_of_hardly_anything_can_be_shown(steps):
    with LeakFinder() as finder:
        train(steps)
        early = f"growth is judged after 9 steps; so far: {steps}"
        assert early in finder.text()
        json.dumps(finder.refresh(), allow_nan=False)
        check_view("leaks", finder.data)
        assert finder.picture().height > 20


def test_view_keeps_nothing_alive_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        with LeakFinder(seconds=20.0) as finder:
            losses: list = []
            train(12, losses)
            finder.explain()
            gone = [weakref.ref(t) for t in losses]
            gone += [weakref.ref(t._grad_fn) for t in losses]
            finder.why(losses[3], "it")
            finder.svg()
            losses.clear()
            assert {ref() for ref in gone} == {None}
    finally:
        gc.enable()


def test_training_that_fails_half_way_is_shown_as_far_as_it_went():
    losses: list = []
    with LeakFinder(seconds=20.0) as finder:
        with pytest.raises(ZeroDivisionError):
            for step in range(12):
                train(1, losses)
                1 / (10 - step)
        finder.cell_ended()
        assert finder.refresh()["step"] == 11
        assert finder.data["lines"][0]["state"] == "leak"


def test_optimizer_is_blamed_only_for_a_model_thrown_away():
    model = nn.Linear(2, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    weight = weakref.ref(model.weight)
    with LeakFinder(seconds=20.0) as finder:
        assert finder.why(weight).data["cause"]["kind"] == "running"  # model
        del model
        gc.collect()
        cause = finder.why(weight).data["cause"]
    assert cause["kind"] == "optimizer"
    assert cause["change"] == "del optimizer"
    assert optimizer.state == {}


@pytest.fixture
def every_fourth(monkeypatch):
    """After 3 steps, one of 4 is watched, however long they take."""
    monkeypatch.setattr(step_throttle, "FIRST", 3)
    monkeypatch.setattr(step_throttle, "FREE", 0)
    monkeypatch.setattr(step_throttle, "ENDED", 600.0)  # on a busy machine, too
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 3)


@pytest.mark.usefixtures("every_fourth")
@pytest.mark.parametrize("name", LEAKS)
def test_classic_leak_is_found_where_the_view_rests_between_steps(name):
    text, kind, line, change = LEAKS[name]
    longer = text.replace("range(20)", "range(80)")
    gc.disable()
    try:
        with LeakFinder(seconds=120.0) as finder:
            space = run_program(longer, finder._recorder, name)
            finder.cell_ended()
            data = finder.refresh()
    finally:
        gc.enable()
    causes = [a["cause"] for a in data["answers"] if a["cause"]]
    found = [c for c in causes if c["kind"] == kind]
    assert found, (data["pace"], data["lines"], causes)
    assert {(c["src"] or {"text": ""})["text"] for c in found} == {line}
    assert {c["change"] for c in found} == {change}
    space.clear()


@pytest.mark.usefixtures("every_fourth")
def test_same_name_in_another_program_is_not_blamed():
    run_program(RIGHT["sum of numbers"], None, "sum of numbers").clear()
    test_classic_leak_is_found_where_the_view_rests_between_steps("total")


@pytest.mark.usefixtures("every_fourth")
@pytest.mark.parametrize("name", RIGHT)
def test_right_program_gives_no_alarm_where_the_view_rests(name):
    with LeakFinder(seconds=120.0) as finder:
        run_program(RIGHT[name].replace("20", "200"), finder._recorder, name)
        lines = finder.refresh()["lines"]
    assert [row["state"] for row in lines if row["state"]] == []
