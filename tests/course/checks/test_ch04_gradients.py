from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.checks import ch04_gradients as gradients
from tests.course.checks.test_ch03_shapes import telling
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch04

VALUES = gradients._shown_rows(False)
SLOPES = gradients._shown_rows(True)


def test_hook_of_the_statement_shortens_and_leaves_alone():
    hook = gradients.clipped(1.0)
    torch.testing.assert_close(hook(torch.tensor([3.0, 4.0])), torch.tensor([0.6, 0.8]))
    short = torch.tensor([0.3, 0.4])
    assert hook(short) is short


@pytest.mark.parametrize("words", gradients.CLIPS)
@pytest.mark.parametrize("limit", [2.5, 0.5])
def test_hook_with_a_mistake_differs_on_two_gradients(words, limit):
    clips = gradients.CLIPS[words]
    made = tuple(
        gradients._hooked(clip, limit)
        for clip in (clips if isinstance(clips, tuple) else (clips,))
    )
    cases = [(gradients._tensor(values),) for values in gradients.LONG]
    assert telling(cases, gradients.clipped(limit), made) >= 2


@pytest.mark.parametrize(("v", "g"), SLOPES)
def test_lengths_and_slopes_are_those_of_the_library_s_norm(v, g):
    leaf = v.detach().clone().requires_grad_()
    n = torch.linalg.vector_norm(leaf, dim=1)
    n.backward(g)
    torch.testing.assert_close(gradients.lengths(v), n.detach())
    torch.testing.assert_close(gradients.slopes(v, g), leaf.grad)


@pytest.mark.parametrize(
    ("cases", "right", "made"),
    [(VALUES, gradients.lengths, m) for m in gradients.LENGTH_MISTAKES.values()]
    + [(SLOPES, gradients.slopes, m) for m in gradients.SLOPE_MISTAKES.values()],
)
def test_length_with_a_mistake_differs_on_two_cases(cases, right, made):
    assert telling(cases, right, made) >= 2


def late(limit):
    """A hook that is right when it is called, and fails in a backward."""

    def hook(g):
        return ch04.clip_hook(limit)(g.detach()) if g.dim() else np.float32(0)

    return hook


WRONG = [
    ("04.2", lambda limit: limit, "returned no function"),
    ("04.2", late, "not right"),
    ("04.5", lambda v: (v.detach() ** 2).sum(dim=1).sqrt(), "no history"),
    ("04.5", lambda v: None, "is a return missing?"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
