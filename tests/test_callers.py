"""Which line of a program is running."""

from __future__ import annotations

import sys
import warnings

import pytest

import edutorch as torch
from edutorch import callers, events
from edutorch.nn import functional as F


def lines_of(work):
    """The lines that records of operations name while `work` runs."""
    seen = []
    subscription = events.listen("test", seen.append, kinds=["op"])
    try:
        work()
    finally:
        subscription.close()
    return [callers.source(events.as_dict(r)["src"]) for r in seen]


def test_source_is_the_line_that_called_each_time_it_runs():
    x = torch.ones(2)

    def work():
        for _ in range(2):
            x + 1
            x * 2

    first = work.__code__.co_firstlineno
    places = lines_of(work)
    assert [p.line - first for p in places] == [2, 3, 2, 3]
    assert all(p.file == __file__ and p.func.endswith("work") for p in places)


def test_source_when_the_library_calls_itself_is_outside():
    layer = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    places = lines_of(lambda: layer(torch.ones(1, 2)))
    assert {p.file for p in places} == {__file__}


def test_caller_when_a_line_is_new_tells_once():
    told = []

    def ask():
        return inner()

    def inner():
        return innermost()

    def innermost():
        return callers.caller(lambda ident, place: told.append((ident, place)))

    found = [ask() for _ in range(2)]
    assert found[0] == found[1] == told[0][0] and len(told) == 1
    assert callers.source(found[0]) == told[0][1]


def test_caller_when_too_much_code_is_remembered_begins_anew(monkeypatch):
    monkeypatch.setattr(callers, "CODES", 3)
    x, scope = torch.ones(2), {}
    for k in range(5):  # as cells of a notebook, each of which is its own code
        text = f"def cell_{k}(x):\n    return x + {k}"
        exec(compile(text, f"cell {k}", "exec"), scope)
        (place,) = lines_of(lambda k=k: scope[f"cell_{k}"](x))
        assert place.func == f"cell_{k}"
        assert len(callers._codes) <= 3


def test_is_library_knows_its_own_files():
    assert callers.is_library(torch.nn.Linear.forward.__code__)
    assert not callers.is_library(test_is_library_knows_its_own_files.__code__)
    assert callers.caller_frame() is not sys._getframe(1)


def shrunk(x):
    return torch.diff(x, out=torch.ones(5))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: torch.meshgrid(x, x),
        lambda x: torch.chain_matmul(x[None]),
        lambda x: F.kl_div(x, x),
        lambda x: F.l1_loss(x, x[None]),
        lambda x: torch.nn.L1Loss()(x, x[None]),
        lambda x: F.hinge_embedding_loss(x, x, reduce=False),
        lambda x: torch.std(x[:1]),
        lambda x: torch.std_mean(x[:1]),
        lambda x: torch.hstack([x], out=torch.ones(5)),
        shrunk,
    ],
)
def test_warnings_name_the_line_of_the_program(program):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        program(torch.ones(3))
    lines = {(w.filename, w.lineno) for w in warned if w.category is UserWarning}
    first = program.__code__.co_firstlineno
    assert lines == {(__file__, first + (program is shrunk))}
