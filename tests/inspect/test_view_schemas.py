"""Damaged and forged data of views are rejected."""

from __future__ import annotations

import copy

import pytest

import edutorch as torch
from edutorch import nn, optim
from edutorch.inspect import report_error, summarize
from edutorch.inspect.step_trace import trace_of
from edutorch.inspect.view_schemas import SCHEMAS, Optional, check, check_view
from tests.widgets.samples import leaks


def recorded():
    """True data of each kind of view."""
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with torch.inspect.record(level=2) as recording:
        for _ in range(3):
            model(torch.ones(4, 2)).sum().backward()
            optimizer.step()
    with torch.inspect.record(level=3) as broken:
        (torch.ones(2, requires_grad=True) * -1).log().sum().backward()
    with torch.inspect.StepRecorder() as steps:
        model(torch.ones(4, 2)).sum().backward()
        optimizer.step()
    run = torch.inspect.RunRecorder()
    run.log(loss=1.0, accuracy=float("nan"))
    named = {"id": 1, "name": "a", "settings": [["lr", "0.1"]]}
    lines = run.series()["series"]
    card = summarize(model[0].weight, "w") | {"made": None, "users": []}
    return {
        "graph": recording.graph(),
        "gradient": recording.gradients(),
        "memory": recording.memory(),
        "memory_tree": recording.memory_tree(),
        "tensor": card | {"rev": 1},
        "nan": broken.nan_trail(),
        "error": failed(),
        "leaks": leaks(),
        "timeline": recording.timeline(),
        "stepper": trace_of(steps.collector),
        "lanes": lanes(),
        "run": run.series() | {"run": named, "others": [named | {"series": lines}]},
    }


def lanes():
    """Two devices, a transfer, a phase, a step, and one that is full."""
    events = torch.events
    gpus = torch.cuda.simulate(devices=1, memory="4MB")
    with gpus, torch.inspect.LanesRecorder() as recorder:
        events.mark("scatter", "begin")
        torch.ones(4).to("cuda:0").exp().cpu().exp()
        events.mark("scatter", "end")
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:0")
        events.next_step()
        return recorder.series()


def failed():
    """A report of a backward pass that failed, and of its graph."""
    w = torch.ones(2, requires_grad=True)
    y = w.exp()
    z = y.sum()
    y.add_(1)
    try:
        z.backward()
    except RuntimeError as error:
        return report_error(error)


TRUE = recorded()


def places(value, path=()):
    """Every place in nested data, but not the whole."""
    items = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = list(enumerate(value))[:2]
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def covers(schema, path):
    """Whether a schema describes the value at a place."""
    for key in path:
        schema = schema.schema if isinstance(schema, Optional) else schema
        if isinstance(schema, dict) and key not in schema:
            return False
        schema = schema[key] if isinstance(schema, dict) else schema[0]
    return True


def put(data, path, value):
    """A copy of data with another value at a place."""
    changed = copy.deepcopy(data)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


@pytest.mark.parametrize("kind", SCHEMAS)
def test_true_data_are_accepted(kind):
    check_view(kind, TRUE[kind])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_required_key_when_missing_is_named(kind):
    for key in SCHEMAS[kind]:
        data = {k: v for k, v in TRUE[kind].items() if k != key}
        with pytest.raises(ValueError, match=f"{key!r} is missing"):
            check_view(kind, data)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_place_of_another_type_is_refused_with_its_path(kind):
    checked = 0
    for path in places(TRUE[kind]):
        if not covers(SCHEMAS[kind], path):
            continue  # carried along
        with pytest.raises(ValueError, match=f"^{kind}"):
            check_view(kind, put(TRUE[kind], path, object()))
        checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("kind", "path", "value", "words"),
    [
        ("graph", ("edges", 0), ["t0", "nowhere"], "does not join two nodes"),
        ("graph", ("edges", 0), ["t0"], "does not join two nodes"),
        ("gradient", ("norms", 0), [1.0], "expected 4 entries, got 1"),
        ("gradient", ("steps",), [0], "expected 1 entries, got 3"),
        ("memory", ("bytes", 0), [1], "expected 5 entries, got 1"),
        ("tensor", ("value", "grid", "shown"), [2], "expected 2 entries"),
        ("tensor", ("value", "grid", "shown"), [5, 5], "no whole number"),
        ("tensor", ("memory", "views", 0, "itemsize"), 0, "no bytes"),
        ("tensor", ("memory", "views", 0, "strides"), [1], "strides: expected 2"),
        ("lanes", ("transfers", 0, 2), "cuda:7", "has no lane"),
        ("lanes", ("transfers", 0, 4), "8", "transfers: expected int"),
        ("lanes", ("transfers", 0), [1.0, 2.0], "expected 6 entries"),
        ("lanes", ("full", 0, "device"), "cuda:7", "has no lane"),
        ("lanes", ("lanes", 1, "bars", 0), [0.0, 1.0], "expected 9 entries"),
        ("lanes", ("lanes", 1, "bars", 0, 2), 99, "text: expected 0 to"),
        ("lanes", ("lanes", 1, "bars", 0, 6), 1, "row: expected 0 to 0"),
        ("lanes", ("lanes", 1, "rows"), 10**9, "rows: expected 1 to 64"),
        ("lanes", ("phases", 0, "row"), -1, "row: expected 0 to 63"),
        ("lanes", ("steps", 0), [0.0], "expected 2 entries"),
        ("nan", ("finding", "root"), 9, "no box of the trail"),
        ("timeline", ("bars", "dur"), [1], "bars.dur: expected"),
        ("timeline", ("bars", "kind", 0), 8, "bars.kind: a value is out of range"),
        ("timeline", ("bars", "name", 0), 999, "bars.name: a value is out of range"),
        ("timeline", ("bars", "start", 1), -1, "bars.start: a value is out of range"),
        ("timeline", ("bars", "link", 1), 9999, "bars.link: a value is out of range"),
        ("timeline", ("bars", "parent", 0), 0, "the bar is not inside of it"),
        ("timeline", ("bars", "dur", 0), 0, "the bar is not inside of it"),
        ("memory_tree", ("rows", 0, "line"), -1, "no line -1"),
        ("memory_tree", ("rows", 0, "module"), 99, "no module 99"),
        ("memory_tree", ("rows", 0, "bytes"), [1], "entries, got 1"),
        ("memory_tree", ("shown",), 3, "is missing"),
    ],
)
def test_data_that_contradict_themselves_are_refused(kind, path, value, words):
    with pytest.raises(ValueError, match=words):
        check_view(kind, put(TRUE[kind], path, value))


def test_optional_takes_none_and_checks_what_is_there():
    check(None, Optional({"a": int}))
    with pytest.raises(ValueError, match=r"data\.a: expected int, got bool"):
        check({"a": True}, Optional({"a": int}))
