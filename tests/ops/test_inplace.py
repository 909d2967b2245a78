"""In-place variants as functions."""

import pytest

import edutorch as torch
from edutorch.ops import inplace


@pytest.mark.parametrize("name", inplace.__all__)
def test_inplace_functions_are_the_methods(name):
    assert getattr(torch, name) is getattr(torch.Tensor, name)


def test_inplace_functions_change_their_tensor():
    x = torch.tensor([-1.0, 4.0])
    assert torch.abs_(x) is x
    assert x.multiply_(2).subtract_(1).negative_().tolist() == [-1.0, -7.0]
