from __future__ import annotations

import numpy as np
import pytest

from edutorch.course.checks import ch07_optimizer_drills as drilled
from edutorch.course.checks import ch07_optimizer_rules as rules
from edutorch.course.checks.optimizer_steps import follow
from tests.oracle import torch

DRILLS = {
    "sgd": (rules.sgd, drilled.sgd_drills, rules.SGD_MISTAKES),
    "momentum": (rules.momentum, drilled.momentum_drills, rules.MOMENTUM_MISTAKES),
    "adam": (rules.adam, drilled.adam_drills, rules.ADAM_MISTAKES),
}
MAKERS = {
    "sgd": torch.optim.SGD,
    "momentum": torch.optim.SGD,
    "adam": torch.optim.Adam,
}


def pytorchs(drill, make):
    """What PyTorch's optimizer makes of a drill."""
    params = [torch.tensor(v.astype(np.float64)) for v in drill.values]
    optimizer = make(params, **drill.settings)
    after = []
    for step, gradients in enumerate(drill.gradients):
        if drill.restart and step == drill.restart:
            optimizer = make(params, **drill.settings)
        for p, g in zip(params, gradients, strict=True):
            p.grad = None if g is None else torch.tensor(g.astype(np.float64))
        optimizer.param_groups[0]["lr"] = drill.at(step)["lr"]
        optimizer.step()
        after += [p.detach().numpy().copy() for p in params]
    return after


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", DRILLS)
def test_rule_is_pytorchs(name, seed):
    rule, drills, _ = DRILLS[name]
    for drill in drills(np.random.default_rng(seed)):
        ours, theirs = follow(drill, rule), pytorchs(drill, MAKERS[name])
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("name", "words"), [(n, w) for n, (_, _, known) in DRILLS.items() for w in known]
)
def test_mistake_differs_from_the_rule_on_two_drills(name, words):
    rule, drills, known = DRILLS[name]
    told = 0
    for drill in drills(np.random.default_rng(7)):
        try:
            wrong = known[words](drill)
        except ValueError:  # sizes do not fit: it would have raised
            continue
        pairs = zip(wrong, follow(drill, rule), strict=True)
        told += any(not np.allclose(a, b, equal_nan=True) for a, b in pairs)
    assert told >= 2
