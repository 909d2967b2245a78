"""What views say of steps that they have not watched."""

from __future__ import annotations

import pytest

from edutorch import events
from edutorch.inspect import step_throttle
from edutorch.inspect.step_throttle import throttle
from edutorch.widgets import MemoryView, NaNTrail, RunMonitor, live, save
from edutorch.widgets import open as open_run
from edutorch.widgets.view_throttle import with_throttle_note
from edutorch.widgets.watch import VIEWS, open_views
from tests.inspect.models import TRAININGS

RESTING = [kind for kind in VIEWS if kind not in ("run", "stepper")]


@pytest.fixture(autouse=True)
def every_fourth(monkeypatch):
    """After 3 steps, one of 4 is watched, however long they take."""
    monkeypatch.setattr(step_throttle, "FIRST", 3)
    monkeypatch.setattr(step_throttle, "FREE", 0)
    monkeypatch.setattr(step_throttle, "ENDED", 600.0)  # on a busy machine, too
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 3)
    yield
    assert events.active == () and not events.paused


def train(steps=13):
    training = TRAININGS["gan"]()
    for _ in range(steps):
        training.step()


@pytest.mark.parametrize("kind", RESTING)
def test_view_that_skips_steps_says_so_in_text_and_picture_and_file(kind, tmp_path):
    (view,) = open_views([kind])
    train()
    words = "watching 1 of 4 steps"
    assert view.text().splitlines()[1].startswith(f"  {words}")
    assert words in view.svg()
    assert view.refresh()["pace"].startswith(words)
    view.close()
    # 3 at first, then the 7th and the 11th
    assert view.data["pace"].startswith("5 of 13 steps were watched")
    assert "5 of 13 steps were watched" in view.svg()
    (again,) = open_run(save(tmp_path / "run.edu", view))
    assert "5 of 13 steps were watched" in again.text()


@pytest.mark.parametrize("kind", ["run", "stepper"])
def test_view_that_never_skips_says_nothing(kind):
    (view,) = open_views([kind])
    with MemoryView("cpu"):
        train()
    assert "watch" not in view.text()
    if isinstance(view, RunMonitor):
        assert view.data["step"] == 13
    view.close()


@pytest.mark.parametrize("kind", RESTING)
def test_view_of_every_step_watches_all_while_others_skip(kind):
    with MemoryView("cpu") as other:
        (view,) = open_views([kind], every_step=True)
        with view:
            train()
            assert "pace" not in view.refresh()
            assert other.refresh()["pace"]


def test_view_may_go_back_to_as_many_steps_as_are_cheap():
    with MemoryView("cpu").every_step() as view:
        train()
        assert "pace" not in view.refresh()
        view.every_step(False)
        train()
        assert view.refresh()["pace"] == "watching 1 of 4 steps"


def test_views_that_were_opened_later_count_their_own_steps():
    with MemoryView("cpu"):
        train()
        late = MemoryView("cpu")
        train(7)
        late.close()
    assert late.data["pace"] == "4 of 7 steps were watched"


def test_nan_trail_tells_of_a_loss_that_it_has_not_watched():
    training = TRAININGS["mlp"]()
    with NaNTrail() as trail:
        for _ in range(5):
            training.step()
        assert trail.text().splitlines()[1].endswith("1 of 4 steps and the loss of all")
        (training.forward() * float("inf")).backward()
        training.optimizer.step()  # its parameters are nan from here on
        training.step()
        assert "the loss of step 5, not watched, was inf" in trail.text()
        assert trail.data["finding"] is not None


@pytest.mark.parametrize("kind", ["memory", "graph"])
def test_view_when_its_cell_ends_tells_the_latest_watched_step(kind):
    (view,) = open_views([kind])
    with view:
        train()
        view.tick()
        events.control("idle", "begin")
        view.tick()
        words = "5 of 13 steps were watched, the latest is step 10"
        assert view.data["pace"] == words


def test_live_stepping_lets_nobody_skip():
    with MemoryView("cpu"):
        train(4)
        assert throttle.skipping
        live.pause()
        try:
            train(1)  # this thread is the one that has paused: it is not stopped
            assert not throttle.skipping
            train(3)
            assert not throttle.skipping
        finally:
            live.resume()
        train(1)
        assert throttle.skipping


def test_text_of_a_view_that_watches_all_is_as_it_was():
    assert with_throttle_note("Graph\n  a", {}) == "Graph\n  a"
    assert with_throttle_note("Graph\n  a", {"pace": "x"}) == "Graph\n  x\n  a"
