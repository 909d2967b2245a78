"""Paths of references, of each kind, are found, and nothing is held afterwards."""

from __future__ import annotations

import functools
import gc
import sys
import threading
import weakref
from collections import deque

import pytest

import edutorch as torch
from edutorch import nn, optim
from edutorch.inspect.leak_causes import cause_of
from edutorch.inspect.reference_search import find_paths

KEPT: dict = {}  # a root of this module


@pytest.fixture(autouse=True)
def emptied():
    yield
    KEPT.clear()


def ways(target):
    """Each path as text, from the name that this module gives."""
    search = find_paths([target], 20.0)
    assert not search.cut
    return ["".join(hop.code for hop in path.hops) for path in search.paths[0]]


def way_to(reference):
    """The first path to what only a weak reference names here."""
    (found,) = find_paths([reference()], 120.0).paths
    return found[0] if found else None


def code_of(path):
    return path.root.code + "".join(hop.code for hop in path.hops)


class Thing:
    pass


class Slotted:
    __slots__ = ("held",)


def keep(maker):
    """Keep what is made in `KEPT['it']`, and refer weakly to the tensor in it."""
    tensor = torch.ones(3)
    reference = weakref.ref(tensor)
    KEPT["it"] = maker(tensor)
    return reference


def with_attribute(t):
    thing = Thing()
    thing.held = t
    return thing


def with_slot(t):
    thing = Slotted()
    thing.held = t
    return thing


def with_closure(t):
    def use():
        return t

    return use


def with_generator(t):
    def run(inside):
        yield inside

    generator = run(t)
    next(generator)
    return generator


def with_cache(t):
    cached = functools.lru_cache(7)(lambda: t)
    cached()
    return cached


MAKERS = {
    "list": (lambda t: [0, t], "[1]"),
    "tuple in dict": (lambda t: {"a": (1, t)}, "['a'][1]"),
    "set": (lambda t: {t}, " (an element)"),
    "key": (lambda t: {t: 1}, " (a key)"),
    "deque": (lambda t: deque([t], maxlen=3), "[0]"),
    "attribute": (with_attribute, ".held"),
    "slot": (with_slot, ".held"),
    "closure": (with_closure, "t"),
    "partial": (lambda t: functools.partial(print, t), ".args[0]"),
    "default": (lambda t: lambda x=t: x, " default argument"),
    "method": (lambda t: t.sum, ".__self__"),
    "generator": (with_generator, "inside"),
    "view": (lambda t: t[1:], "._base"),
    "gradient": (lambda t: _with_gradient(t), ".grad"),
    "saved": (lambda t: t.requires_grad_().exp() * t, ".grad_fn.next_functions[1][0]"),
}


def _with_gradient(t):
    leaf = torch.zeros(3, requires_grad=True)
    leaf.grad = t
    return leaf


@pytest.mark.parametrize("name", MAKERS)
def test_reference_of_each_kind_is_called_by_its_name(name):
    maker, expected = MAKERS[name]
    path = way_to(keep(maker))
    assert code_of(path) == f"KEPT['it']{expected}"


def test_shortest_path_is_told_first_and_others_after_it():
    t = torch.ones(2)
    KEPT["deep"] = [[[t]]]
    KEPT["flat"] = [t]
    reference = weakref.ref(t)
    del t
    found = [code_of(p) for p in find_paths([reference()], 120.0).paths[0]]
    assert found == ["KEPT['flat'][0]", "KEPT['deep'][0][0][0]"]


def test_memory_of_a_view_is_reached_though_the_collector_does_not_see_it():
    base = torch.zeros(10)
    memory = weakref.ref(base._data)
    KEPT["part"] = base.numpy()[2:5]
    del base
    assert gc.get_referents(KEPT["part"]) == []  # why `base` is followed by hand
    assert code_of(way_to(memory)) == "KEPT['part'].base"


def test_long_run_of_nodes_is_told_in_short():
    w = torch.ones(2, requires_grad=True)
    total = w * 1
    oldest = weakref.ref(total._grad_fn)
    for _ in range(50):
        total = total + w
    KEPT["total"] = total
    del total
    path = way_to(oldest)
    assert len(path.hops) < 6
    assert any("nodes on" in hop.code for hop in path.hops)


def test_optimizer_of_a_model_thrown_away_is_named():
    model = nn.Linear(2, 2)
    KEPT["optimizer"] = optim.Adam(model.parameters())
    weight = weakref.ref(model.weight)
    del model
    assert "['params'][0]" in code_of(way_to(weight))


def test_variables_of_running_functions_and_threads_are_roots():
    begun, end = threading.Event(), threading.Event()
    found = []

    def work():
        inside = torch.ones(4)
        found.append(weakref.ref(inside))
        begun.set()
        end.wait(30)

    thread = threading.Thread(target=work, name="worker")
    thread.start()
    begun.wait(30)
    path = way_to(found[0])
    end.set()
    thread.join()
    assert path.root.code == "inside"
    assert "in thread worker" in path.root.words
    assert cause_of(path)["kind"] == "running"


def test_locals_of_a_running_function_stay_as_they_were():
    inside = torch.ones(2)
    mine = locals()
    find_paths([inside], 20.0)
    assert mine["inside"] is inside


def test_last_exception_is_named_with_the_function_that_failed(monkeypatch):
    def fail():
        activations = torch.ones(5)
        failed.append(weakref.ref(activations))
        raise ValueError

    failed = []
    try:
        fail()
    except ValueError as error:
        monkeypatch.setattr(sys, "last_value", error, raising=False)
    path = way_to(failed[0])
    assert path.root.code == "sys.last_value"
    assert path.hops[-1].code == "activations"
    cause = cause_of(path)
    assert cause["kind"] == "error"
    assert "fail()" in cause["why"]
    assert "sys.last_value" in cause["change"]


def test_bounded_cache_is_no_leak():
    cause = cause_of(way_to(keep(with_cache)))
    assert cause["kind"] == "bounded"
    assert "at most 7" in cause["why"]


def test_object_in_a_cycle_has_no_path():
    gc.disable()
    try:
        thing = Thing()
        thing.me, thing.held = thing, torch.ones(2)
        held = weakref.ref(thing.held)
        del thing
        assert way_to(held) is None
        gc.collect()
        assert held() is None
    finally:
        gc.enable()


def test_search_holds_nothing_afterwards_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        reference = keep(lambda t: [with_attribute(t), with_closure(t)])
        assert way_to(reference) is not None
        KEPT.clear()
        assert reference() is None
    finally:
        gc.enable()


def test_objects_that_lie_about_themselves_do_no_harm():
    class Liar:
        def __init__(self, held):
            self.held = held

        def __getattribute__(self, name):
            raise RuntimeError("no")

        def __len__(self):
            raise RuntimeError("no")

        __repr__ = __eq__ = __hash__ = None  # type: ignore[assignment]  # on purpose

    path = way_to(keep(Liar))
    assert code_of(path) == "KEPT['it'].held"


def test_ten_thousand_tensors_named_alike_are_searched_at_once():
    KEPT["many"] = [torch.zeros(1) for _ in range(10_000)]
    targets = KEPT["many"][::50]
    search = find_paths(targets, 20.0)
    assert [code_of(ways[0]) for ways in search.paths] == [
        f"KEPT['many'][{i}]" for i in range(0, 10_000, 50)
    ]
