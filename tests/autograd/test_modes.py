"""`no_grad` and related modes, as context managers and as decorators."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch
from edutorch.autograd import modes as _m
from edutorch.autograd.modes import modes


def test_blocks_nest_and_restore():
    with torch.no_grad():
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_block_restores_after_an_exception():
    with pytest.raises(ValueError), torch.no_grad():
        raise ValueError
    assert torch.is_grad_enabled()


def test_set_grad_enabled_acts_at_once_and_as_a_block():
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("mode", [torch.no_grad, torch.no_grad()])
def test_decorated_function_runs_without_recording(mode):
    @mode
    def f():
        return torch.is_grad_enabled()

    assert f() is False
    assert torch.is_grad_enabled()


def test_decorated_generator_pauses_with_the_callers_mode():
    @torch.no_grad()
    def numbers():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    seen = [(value, torch.is_grad_enabled()) for value in numbers()]
    assert seen == [(False, True), (False, True)]


def test_decorated_generator_gets_what_is_thrown_into_it():
    @torch.no_grad()
    def generator():
        try:
            yield 1
        except ValueError as error:
            yield str(error), torch.is_grad_enabled()
        return 5

    running = generator()
    next(running)
    assert running.throw(ValueError("words")) == ("words", False)
    assert torch.is_grad_enabled()
    with pytest.raises(StopIteration) as stopped:
        next(running)
    assert stopped.value.value == 5


def test_decorated_generator_is_closed_without_recording():
    seen = []

    @torch.no_grad()
    def generator():
        try:
            yield 1
        finally:
            seen.append(torch.is_grad_enabled())

    running = generator()
    next(running)
    running.close()
    assert seen == [False] and torch.is_grad_enabled()


def test_decorated_class_warns():
    class Layer:
        def __init__(self):
            self.recorded = torch.is_grad_enabled()

    with pytest.warns(FutureWarning, match=r"^Decorating classes is deprecated"):
        made = torch.no_grad()(Layer)
    assert not made().recorded


def test_contexts_have_pytorchs_places():
    assert torch.autograd.grad_mode.no_grad is torch.no_grad
    assert torch.autograd.anomaly_mode.detect_anomaly is torch.autograd.detect_anomaly


def test_mode_belongs_to_a_thread():
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_detect_anomaly_is_a_block_and_warns_that_it_is_slow():
    with pytest.warns(UserWarning, match="^Anomaly Detection has been enabled"):
        torch.autograd.detect_anomaly()
    with torch.autograd.detect_anomaly():
        assert torch.is_anomaly_enabled()
    assert not torch.is_anomaly_enabled()


def test_layout_policy_acts_at_once_and_for_blocks_and_functions():
    policy = torch.autograd.enforce_grad_layout_policy
    with policy(False):
        assert modes.layouts is False
    assert modes.layouts is True
    assert policy(False)(lambda: modes.layouts)() is False
    assert modes.layouts is True


def test_dispatch_checks_special_modes_only_while_one_is_active():
    before, seen = _m.special_modes, []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        seen.append(_m.special_modes)
    with torch.autograd.set_detect_anomaly(True):
        seen.append(_m.special_modes)
    torch.vmap(lambda x: seen.append(_m.special_modes) or x)(torch.ones(2))
    assert seen == [True] * 3
    assert _m.special_modes is before


def test_set_grad_enabled_takes_nothing_but_a_bool():
    with pytest.raises(TypeError, match="must be bool, not str$"):
        torch.set_grad_enabled("no")
    assert torch.is_grad_enabled()
