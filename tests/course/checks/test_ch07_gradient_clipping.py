from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch07_gradient_clipping import (
    _CLIP_MISTAKES,
    _clip_cases,
    _equal,
    _right_clip,
    grade_clipping,
)
from tests.course.solutions import ch07


def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("seed", range(5))
def test_rule_is_clip_grad_norm(seed):
    for case in _clip_cases(np.random.default_rng(seed)):
        params = [torch.zeros(2 if g is None else g.shape) for g in case.gradients]
        for p, g in zip(params, case.gradients, strict=True):
            p.grad = None if g is None else torch.tensor(g.astype(np.float32))
        norm = torch.nn.utils.clip_grad_norm_(params, case.max_norm)
        grads = [p.grad.numpy() for p in params if p.grad is not None]
        assert _equal((grads, float(norm)), _right_clip(case))


def test_grade_of_the_solution_passes():
    grade_clipping(ch07.clip_gradients, rng())


@pytest.mark.parametrize("words", _CLIP_MISTAKES)
def test_mistake_differs_from_the_rule_on_two_cases(words):
    told = 0
    for case in _clip_cases(rng()):
        right = _right_clip(case)
        told += not _equal(_CLIP_MISTAKES[words](right[0], case), right)
    assert told >= 2


def test_grade_of_changed_parameters_says_so():
    def clip_gradients(params, max_norm):
        params = list(params)
        with torch.no_grad():
            params[0] *= 0.5
        return ch07.clip_gradients(params, max_norm)

    with pytest.raises(CheckFailed, match="itself was changed"):
        grade_clipping(clip_gradients, rng())
