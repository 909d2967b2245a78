"""Records of module calls."""

from __future__ import annotations

import edutorch as torch
from edutorch import events, module_events


def test_module_calls_nest_with_paths(seen):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    model(torch.ones(1, 2))
    calls = [events.as_dict(r) for r in seen if r[0] == "mod"]
    assert [(c["what"], c["path"]) for c in calls] == [
        ("enter", ""), ("enter", "0"), ("exit", "0"), ("enter", "1"), ("exit", "1"),
        ("exit", ""),
    ]  # fmt: skip
    assert calls[1]["parent"] == calls[0]["call"]


def test_names_are_those_of_named_modules_and_named_parameters(seen):
    shared = torch.nn.Linear(2, 2)
    block = torch.nn.Sequential(shared, torch.nn.ReLU(), shared)
    model = torch.nn.ModuleDict({"a": block, "b": torch.nn.Linear(2, 2)})
    model["a"].register_module("none", None)
    model["b"].weight = model["a"][0].weight  # shared, too
    model.forward = lambda: model["b"](torch.ones(1, 2))
    model()
    paths = [r[events.FIELDS["mod"].index("path") + 6] for r in seen if r[0] == "mod"]
    assert paths == ["", "b", "b", ""]
    expected = {events.tensor_id(p): name for name, p in model.named_parameters()}
    assert {ident: events.names[ident] for ident in expected} == expected
    known = module_events._name_all(model, 1)
    assert known == {id(m): path for path, m in model.named_modules()}


def test_names_of_buffers_that_are_replaced_do_not_pile_up(seen, monkeypatch):
    monkeypatch.setattr(module_events, "MOST", 10)
    model = torch.nn.Module()
    model.forward = lambda: model.register_buffer("h", torch.ones(1))
    for _ in range(100):
        model()
    model.forward = lambda: None
    model()
    assert len(events.buffers) <= 10
    assert events.buffers[events.tensor_id(model.h)][1] == "h"


def test_listener_to_calls_alone_hears_them_and_operations_stay_unwatched():
    calls = []
    subscription = events.listen("calls", calls.append, kinds=("mod",))
    assert not events.active
    torch.nn.Linear(2, 2)(torch.ones(1, 2))
    subscription.close()
    assert [record[0] for record in calls] == ["mod", "mod"]
    assert not events.hears_modules
