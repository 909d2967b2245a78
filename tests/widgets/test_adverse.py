"""Every view through the same bad situations; the programs are in `adverse_programs`."""

from __future__ import annotations

import gc
import json
from functools import cache
from xml.etree import ElementTree as ET

import pytest

import edutorch as torch
from edutorch import events, widgets
from edutorch.inspect.view_schemas import check_view
from edutorch.widgets import ErrorCard, TensorCard
from edutorch.widgets.saved_views import KINDS
from edutorch.widgets.watch import VIEWS, open_views
from tests.inspect.test_view_schemas import TRUE, places, put
from tests.widgets.adverse_programs import PROGRAMS, outcome

MARKUP = "<img src=x onerror=alert(1)>\x00\x1b\ud800\u202e\n]]>&"
FORGED = [-1, 0, 10**30, -(10**30), 2**62, 1e308, 5e-324, "", MARKUP, "A" * 10**5]
FORGED += [None, [], {}, [[[[]]]], [0] * 1000, [-1] * 3, [10**30] * 3]
LARGE = ("called_ten_thousand_times", "step_never_ends", "alike_names")


@pytest.fixture(autouse=True)
def _nothing_is_collected():
    """What is freed is freed by counting references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@cache
def unwatched(name):
    """What a program gives without views."""
    return outcome(PROGRAMS[name])


def opened(kind, model):
    """New views of a kind, or of all."""
    if kind == "tensor":
        here = torch.ones(2) if model is None else next(model.parameters())
        return [TensorCard(here, "x")]
    return open_views(VIEWS if kind == "all" else [kind])


def is_whole(view, folder):
    """Check that a view is drawn, told and written, and opened again."""
    assert view.text().strip()
    assert not [c for c in view.text() if c < " " and c != "\n"]
    ET.fromstring(view.svg())
    page = view.export(folder / "x.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page and "<svg onload" not in page
    text = view.export(folder / "x.json").read_text(encoding="utf-8")
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert len(text) < 10_000_000
    (again,) = widgets.open(view.export(folder / "x.edu"))
    assert again.data.keys() == data.keys()
    assert again.text() and again.svg()


@pytest.mark.parametrize("kind", [*VIEWS, "tensor"])
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in LARGE])
def test_view_of_what_goes_wrong_is_whole_and_changes_nothing(kind, name, tmp_path):
    views = []

    def watch(model):
        views.extend(opened(kind, model))
        return views[0].close

    assert outcome(PROGRAMS[name], watch) == unwatched(name)
    (view,) = views
    is_whole(view, tmp_path)
    view.close()
    is_whole(view, tmp_path)
    assert view.status.startswith("recorded")
    assert events.active == () == events.taps


@pytest.mark.parametrize("name", LARGE)
def test_all_views_of_what_is_large_are_whole_and_change_nothing(name, tmp_path):
    views = []

    def watch(model):
        views.extend(opened("all", model))

    assert outcome(PROGRAMS[name], watch) == unwatched(name)
    for view in views:
        is_whole(view, tmp_path)
        view.close()
        assert view.status.startswith("recorded")
    assert events.active == () == events.taps


@pytest.mark.parametrize("name", ["forward_fails", "backward_fails"])
def test_error_card_of_what_failed_is_whole(name, tmp_path):
    cards = []

    def failing(watch, made):
        try:
            return PROGRAMS[name](watch, made)
        except RuntimeError as error:
            cards.append(ErrorCard(error))
            raise

    assert outcome(failing) == outcome(PROGRAMS[name])
    is_whole(cards[0], tmp_path)


@pytest.mark.parametrize("name", ["forward_fails", "interrupted_in_backward"])
def test_recording_left_by_an_exception_is_whole(name, tmp_path):
    def recorded(watch, made):
        nonlocal recording
        with torch.inspect.record(level=3) as recording:
            return PROGRAMS[name](watch, made)

    recording = None
    assert outcome(recorded) == outcome(PROGRAMS[name])
    assert events.active == ()
    for view in widgets.open(recording.save(tmp_path / "run.edu")):
        is_whole(view, tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_forged_view_is_refused_or_shown_as_text(kind):
    true = json.loads(json.dumps(TRUE[kind]))
    spots = sorted(set(places(true)), key=str)
    for i in range(0, 17 * len(spots), 1 + 17 * len(spots) // 250):
        spot, forged = spots[i // 17], FORGED[i % 17]
        data = put(true, spot, forged)
        try:
            check_view(kind, data)
        except ValueError:
            continue
        try:
            view = KINDS[kind].recorded(data)
            view.text().encode()
            assert "<img" not in view.svg()
            page = widgets.SavedViews(MARKUP, [view])
            assert page[0].page_state()
        except Exception as error:
            pytest.fail(f"{kind}, {spot} is {str(forged)[:40]!r}: {error!r}")
        view.close()
