"""Module: calling, modes, text, copies."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

import edutorch
from edutorch import nn
from edutorch.nn.hooks import global_hooks
from tests.programs import Programs, attempt

programs = Programs(__file__)


class Pair(nn.Module):
    """A module that pickle can find again."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 3)
        self.b = nn.Sequential(nn.ReLU(), nn.Linear(3, 1))
        self.register_buffer("count", edutorch.zeros(1))

    def forward(self, x):
        return self.b(self.a(x)) + self.count


def net(torch):
    nn = torch.nn
    return nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))


@programs.add
def the_text_shows_the_tree(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
            self.nothing = None
            self.register_module("gap", None)
            self.head = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Identity()})

        def extra_repr(self):
            return "depth=3\nwidth=2"

    class Plain(nn.Module):
        def extra_repr(self):
            return "one line"

    class Two(nn.Module):
        def extra_repr(self):
            return "two\nlines"

    return [repr(Net()), repr(Plain()), repr(Two()), repr(nn.Module()), str(net(torch))]


@programs.add
def training_mode_reaches_all_below(torch):
    m = net(torch)
    before = [x.training for x in m.modules()]
    m[1].eval()
    middle = [x.training for x in m.modules()]
    returned = m.train() is m
    return [before, middle, returned, [x.training for x in m.eval().modules()]]


@programs.add
def a_mode_that_is_no_bool_is_refused(torch):
    return attempt(lambda: net(torch).train(1))


@programs.add
def without_forward_calling_is_refused(torch):
    class Lazy(torch.nn.Module):
        pass

    return attempt(lambda: Lazy()(1))


@programs.add
def arguments_of_init_are_refused(torch):
    class Empty(torch.nn.Module):
        pass

    return [
        attempt(lambda: Empty(1, 2)),
        attempt(lambda: Empty(size=3)),
        attempt(lambda: torch.nn.Module(3)),
    ]


@programs.add
def other_bases_are_initialised_when_asked_for(torch):
    class Named:
        def __init__(self, name):
            self.name = name

    class Both(torch.nn.Module, Named):
        call_super_init = True

    return Both("x").name


@programs.add
def gradients_are_forgotten_or_zeroed(torch):
    m = net(torch)
    m(torch.ones(1, 2)).sum().backward()
    m.zero_grad(set_to_none=False)
    zeros = [p.grad for p in m.parameters()]
    m.zero_grad()
    return [zeros, [p.grad for p in m.parameters()]]


@programs.add
def requires_grad_switches_all_parameters(torch):
    m = net(torch)
    off = [p.requires_grad for p in m.requires_grad_(False).parameters()]
    return [off, [p.requires_grad for p in m.requires_grad_().parameters()]]


@programs.add
def keyword_arguments_reach_forward(torch):
    class Scale(torch.nn.Module):
        def forward(self, x, *, by=1):
            return x * by

    m = Scale()
    return [m(torch.ones(2), by=3), attempt(lambda: m(torch.ones(2), 3))[:2]]


@programs.add
def assigning_a_training_flag_is_ordinary(torch):
    m = net(torch)
    m.training = False
    m.note = {"a": 1}
    return [m.training, m[0].training, m.note]


@programs.add
def a_deep_copy_shares_nothing(torch):
    m = net(torch)
    m.extra = [m[0]]
    c = copy.deepcopy(m)
    with torch.no_grad():
        c[0].weight.fill_(0)
    return [m[0].weight, c[0].weight, c.extra[0] is c[0], type(c[0].weight).__name__]


test_module = programs.test()


def test_deepcopy_keeps_tied_parameters_tied():
    m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    m[1].weight = m[0].weight
    c = copy.deepcopy(m)
    assert c[1].weight is c[0].weight
    assert len(list(c.parameters())) == 3


def test_pickle_gives_the_same_module_back():
    m = Pair().eval()
    found = pickle.loads(pickle.dumps(m))
    assert repr(found) == repr(m)
    assert not found.training
    x = edutorch.ones(1, 2)
    assert edutorch.equal(found(x), m(x))
    assert [p.requires_grad for p in found.parameters()] == [True] * 4


def test_copy_shares_parameters():
    m = Pair()
    assert copy.copy(m).a is m.a


def test_module_when_nobody_listens_calls_forward_directly(monkeypatch):
    monkeypatch.setattr(global_hooks, "registered", False)  # other tests used some
    frames = []

    class Look(nn.Module):
        def forward(self, x):
            frames.extend(f.function for f in inspect.stack()[:3])
            return x

    Look()(edutorch.ones(1))
    assert frames[:2] == ["forward", "__call__"]


def test_module_events_tell_enter_and_exit_with_paths():
    seen = []
    m = Pair()
    with_events = edutorch.events.listen("test", seen.append, kinds=("mod",))
    try:
        m(edutorch.ones(1, 2))
    finally:
        with_events.close()
    told = [(r["what"], r["path"]) for r in map(edutorch.events.as_dict, seen)]
    assert told == [
        ("enter", ""), ("enter", "a"), ("exit", "a"), ("enter", "b"),
        ("enter", "b.0"), ("exit", "b.0"), ("enter", "b.1"), ("exit", "b.1"),
        ("exit", "b"), ("exit", ""),
    ]  # fmt: skip


def test_module_error_names_the_module_in_its_notes():
    m = Pair()
    with pytest.raises(RuntimeError) as caught:
        m(edutorch.ones(1, 3))
    assert any("operand" in n or "shape" in n for n in caught.value.__notes__)
