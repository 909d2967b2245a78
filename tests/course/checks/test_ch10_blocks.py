from __future__ import annotations

import numpy as np
import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch10_blocks import (
    SIZES,
    _input,
    _near,
    _randomize,
    _right,
    _wrong,
    residual_block,
)
from tests.course.solutions.ch10 import ResidualBlock


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_right_value_is_the_solutions(sizes, training):
    block = ResidualBlock(*sizes)
    _randomize(block)
    x = _input(block)
    want = _right(block, x, training)
    got = block.train(training)(x)
    assert np.allclose(got.detach().numpy(), want, atol=1e-5)


@pytest.mark.parametrize("sizes", SIZES)
def test_mistakes_differ_from_the_right_value(sizes):
    block = ResidualBlock(*sizes)
    _randomize(block)
    x = _input(block)
    made = block.train()(x)
    assert not any(_near(made, wrong) for wrong in _wrong(block, x, True).values())


def test_instance_in_place_of_the_class_is_refused():
    with pytest.raises(CheckFailed, match="expects the class itself"):
        residual_block(ResidualBlock(2, 2))
