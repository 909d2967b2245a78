"""Forged data of a Stepper are rejected."""

from __future__ import annotations

import copy
import random

import pytest

import edutorch as torch
from edutorch.inspect import StepRecorder
from edutorch.inspect.step_trace import trace_of
from edutorch.inspect.view_schemas import check_view
from edutorch.inspect.view_step_checks import check_steps
from edutorch.widgets.draw_stepper import draw_stepper, stepper_text


def recorded():
    model = torch.nn.Linear(2, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with StepRecorder() as recorder:
        model(torch.ones(1, 2)).mul(2).sum().backward()
        optimizer.step()
    return trace_of(recorder.collector)


TRUE = recorded()  # linear, mul, sum; three nodes; two leaves; the update


def forged(*path, value):
    data = copy.deepcopy(TRUE)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


def test_true_data_are_accepted():
    check_steps(TRUE)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("moments", 0, "ins", 0, "v"), 999),
        (("moments", 0, "ins", 0, "v"), -2),
        (("moments", 0, "ins", 0, "from"), 99),
        (("moments", 0, "ins", 0, "leaf"), "0"),
        (("moments", 0, "leaf"), None),
        (("moments", 0, "users"), [99]),
        (("moments", 0, "call"), 5),
        (("moments", 0, "src"), [7, 1]),
        (("moments", 0, "src"), [0]),
        (("moments", 0, "recipe", "plus"), 3),
        (("moments", 0, "recipe", "over"), 0),
        (("moments", 0, "recipe", "spec"), "ax,zx,z"),
        (("moments", 0, "recipe", "spec"), "ax,z,z->az"),
        (("moments", 0, "recipe", "spec"), "aa,zx,z->az"),
        (("moments", 0, "recipe", "spec"), "ax,zx,z,q->az"),
        (("moments", 1, "recipe", "plug"), "{0} · 2"),
        (("moments", 3, "outs"), []),
        (("moments", 3, "of"), 99),
        (("moments", 3, "edges", 0, "to"), 99),
        (("moments", 3, "edges", 0, "local"), 99),
        (("moments", 3, "edges", 0, "spec"), "->ab"),
        (("moments", -1, "outs"), []),
        (("calls", 0, "parent"), 0),
        (("values", 0, "cells"), []),
        (("values", 0, "shown"), [-1, -2]),
        (("values", 0, "steps"), [0, 1]),
        (("values", 0, "steps"), [1]),
        (("values", 0, "shape"), [-2]),
    ],
)
def test_data_that_contradict_themselves_are_refused(path, value):
    with pytest.raises(ValueError, match="stepper"):
        check_steps(forged(*path, value=value))


def numbers_in(value, path=()):
    """The places of all whole numbers and specs."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from numbers_in(inner, (*path, key))
    elif isinstance(value, int) or path[-1] in ("spec", "plug", "form", "note"):
        yield path


PLACES = list(numbers_in(TRUE))


@pytest.mark.parametrize("seed", range(12))
def test_damaged_data_are_refused_or_can_be_shown(seed):
    rng = random.Random(seed)
    refused = 0
    for path in rng.sample(PLACES, 150):
        values = [-2, -1, 0, 1, 3, 10**6]
        if isinstance(path[-1], str) and path[-1] in ("spec", "plug", "form", "note"):
            values = ["", "ab,->ab", "{1}", "product", "dropped", ",", "->"]
        data = forged(*path, value=rng.choice(values))
        try:
            check_view("stepper", data)
        except ValueError:
            refused += 1
            continue
        stepper_text(data)
        draw_stepper(data)
    assert refused > 10


def test_sum_of_endless_terms_is_refused():
    many = {"shape": [400], "cells": [0] * 400, "shown": [1, 400], "steps": [1, 1]}
    data = forged("values", value=[*TRUE["values"], many])
    place = len(TRUE["values"])
    moment = data["moments"][1]
    moment["ins"] = [{"v": place, "name": "", "from": -1, "letter": ""}] * 2
    moment["recipe"] = {"plug": "", "spec": "x,y->ab", "plus": -1, "over": 1}
    with pytest.raises(ValueError, match="too many terms"):
        check_steps(data)
