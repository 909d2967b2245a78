"""Settings that have no effect on eager programs of one stream."""

from __future__ import annotations

import pytest

import edutorch
from tests.oracle import torch

SWITCHES = (
    "set_warn_on_accumulate_grad_stream_mismatch",
    "set_override_stale_capture_stream",
)
BUDGETS = [("a", TypeError), (True, TypeError), (1.5, ValueError), (-0.1, ValueError),
           (float("nan"), ValueError), (0, RuntimeError), (0.5, RuntimeError)]  # fmt: skip


def refusal(module, name, value):
    with pytest.raises(Exception) as caught:
        getattr(module.autograd.graph, name)(value)
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize("name", SWITCHES)
def test_switch_takes_bools_only(name):
    switch = getattr(edutorch.autograd.graph, name)
    assert switch(enabled=True) is None
    assert switch(False) is None
    assert refusal(edutorch, name, 1) == (
        RuntimeError,
        "enabled must be a bool, but got int",
    )


@pytest.mark.parametrize("name", SWITCHES)
def test_switch_refuses_as_pytorch(name):
    assert refusal(edutorch, name, "a") == refusal(torch, name, "a")


@pytest.mark.parametrize(("budget", "kind"), BUDGETS)
def test_budget_in_an_eager_program_is_refused(budget, kind):
    assert refusal(edutorch, "region_activation_memory_budget", budget)[0] is kind


@pytest.mark.parametrize("budget", [budget for budget, _ in BUDGETS])
def test_budget_is_refused_as_in_pytorch(budget):
    name = "region_activation_memory_budget"
    assert refusal(edutorch, name, budget) == refusal(torch, name, budget)
