from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.checks.ch11_sampling import (
    _SHOWN,
    MISTAKES,
    NEAR,
    _fresh,
    _pick,
)
from edutorch.course.random_cases import draws
from tests.course.checks.test_ch11 import SOLUTIONS
from tests.course.mistakes import each_is_named

GIVEN = [_fresh(draw) for draw in draws(24, ("float32", "float64"))]


def test_pick_over_many_u_has_the_shares_of_softmax():
    scores = torch.tensor([0.5, -1.0, 2.0])
    picked = [_pick(scores, 0.7, (k + 0.5) / 4000) for k in range(4000)]
    shares = np.bincount(picked, minlength=3) / 4000
    assert shares == pytest.approx((scores / 0.7).softmax(0).numpy(), abs=1e-3)


def test_u_that_is_drawn_is_not_close_to_a_border():
    for scores, temperature, u in GIVEN:
        borders = (scores / temperature).softmax(0).cumsum(0).numpy()
        assert np.abs(borders - u).min() > 0.9 * NEAR


@pytest.mark.parametrize("words", MISTAKES)
def test_mistake_of_sampling_differs_on_two_cases(words):
    made = MISTAKES[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(*args) != _pick(*args) for args in (*_SHOWN, *GIVEN)) >= 2


pick = SOLUTIONS["11.6"]
test_mistakes = each_is_named(
    [
        ("11.6", lambda s, t, u: pick(s, 1.0 if t else 0, u), "temperature is ignored"),
        ("11.6", lambda s, t, u: s.argmax().item(), "u decides"),
    ]
)
