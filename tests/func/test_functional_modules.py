"""Modules as functions, against PyTorch."""

from __future__ import annotations

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def other_parameters_for_one_call(torch):
    torch.manual_seed(0)
    layer, x, call = torch.nn.Linear(2, 2), torch.ones(2), torch.func.functional_call
    zeros = {"weight": torch.zeros(2, 2)}
    return [
        call(layer, zeros, x),
        call(layer, [zeros, {"bias": x}], (x,)),
        call(layer, zeros, kwargs={"input": x}),
        layer(x),
        attempt(lambda: call(layer, [zeros, zeros], x)),
        attempt(lambda: call(layer, 3, x)),
        attempt(lambda: call(layer, zeros, x, strict=True)),
    ]


@programs.add
def shared_parameters_stay_shared(torch):
    torch.manual_seed(0)
    layer, x, call = torch.nn.Linear(2, 2), torch.ones(2), torch.func.functional_call
    twice = torch.nn.Sequential(layer, layer)
    zeros, ones = torch.zeros(2, 2), torch.ones(2, 2)
    two = {"0.weight": zeros, "1.weight": ones}
    return [
        call(twice, {"0.weight": zeros}, x),
        call(twice, {"1.weight": zeros}, x),
        attempt(lambda: call(twice, two, x)),
    ]


@programs.add
def buffers_change_where_they_were_given(torch):
    torch.manual_seed(0)
    norm = torch.nn.BatchNorm1d(2)
    state = {k: v.clone() for k, v in norm.named_buffers()}
    torch.func.functional_call(norm, state, torch.randn(4, 2))
    return state["running_mean"], norm.running_mean


@programs.add
def stacked_states(torch):
    torch.manual_seed(0)
    stack = torch.func.stack_module_state
    p, b = stack([torch.nn.BatchNorm1d(2) for _ in range(2)])
    linear, relu = torch.nn.Linear(1, 1), torch.nn.ReLU()
    return [
        sorted(p), sorted(b), p["weight"], p["weight"].is_leaf, b["running_mean"],
        attempt(lambda: stack([])), attempt(lambda: stack([linear, relu])),
        attempt(lambda: stack([linear, torch.nn.Linear(1, 1).eval()])),
    ]  # fmt: skip


@programs.add
def batch_norms_without_running_statistics(torch):
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 2))
    same = torch.func.replace_all_batch_norm_modules_(net) is net
    return same, net[0].running_mean is None, net[0].track_running_stats


test_modules = programs.test()


def test_the_module_is_as_before_after_an_error():
    layer = edutorch.nn.Linear(2, 2)
    before = layer.weight
    attempt(
        lambda: edutorch.func.functional_call(
            layer, {"weight": edutorch.zeros(2, 2)}, edutorch.ones(7)
        )
    )
    assert layer.weight is before
