from __future__ import annotations

import numpy as np
import pytest

from edutorch.course.checks import ch07_optimizer_drills as drilled

ALL = (drilled.sgd_drills, drilled.momentum_drills, drilled.adam_drills)


@pytest.mark.parametrize("drills", ALL)
def test_drills_follow_from_the_seed(drills):
    first, again = (list(drills(np.random.default_rng(3))) for _ in range(2))
    assert len(first) == len(again)
    for one, other in zip(first, again, strict=True):
        assert one.settings == other.settings
        for a, b in zip(one.values, other.values, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("drills", ALL)
def test_drills_have_a_generator_and_a_parameter_without_gradient(drills):
    some = list(drills(np.random.default_rng(3)))
    assert any(drill.generator for drill in some)
    assert any(g is None for drill in some for row in drill.gradients for g in row)


def test_momentum_drills_change_the_learning_rate():
    changing = [d for d in drilled.momentum_drills(np.random.default_rng(3)) if d.lrs]
    assert len(changing) >= 2
    assert changing[0].at(0)["lr"] != changing[0].at(1)["lr"]
