"""Truncated normal numbers, drawn by rejection."""

import pytest

import edutorch as torch
from edutorch.nn.trunc_normal import trunc_normal_


@pytest.mark.parametrize(
    ("mean", "std", "a", "b"),
    [(0.0, 1.0, -2.0, 2.0), (0.5, 0.2, 0.6, 2.0), (1.0, 1.0, 2.5, 4.0)],
)
def test_numbers_lie_in_the_interval(mean, std, a, b):
    torch.manual_seed(0)
    x = trunc_normal_(torch.empty(200), mean, std, a, b)
    assert bool(((x >= a) & (x <= b)).all()) and not x.requires_grad
    assert x.unique().numel() > 100


def test_mean_far_outside_warns_and_the_numbers_lie_inside():
    with pytest.warns(UserWarning, match="mean is more than 2 std from"):
        x = trunc_normal_(torch.empty(20), 9.0, 1.0)
    assert bool((x <= 2).all())
