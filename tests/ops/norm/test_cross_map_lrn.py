"""Channels that inhibit their neighbours, as Torch 7 counted them."""

import pytest

import edutorch
from edutorch.ops.norm.cross_map_lrn import cross_map_lrn, neighbours, window
from tests.ops.cases import alike, derivatives

CASES = [
    "torch.nn.CrossMapLRN2d(3, 0.5)(img)",
    "torch.nn.CrossMapLRN2d(2, 0.5, 1.5, 2.0)(img)",
    "torch.nn.CrossMapLRN2d(5, 2.0, 0.75, 1.0)(vol[0].transpose(0, 2))",
]


@pytest.mark.parametrize("case", CASES)
def test_cross_map_norm_equals_pytorch(case):
    alike(__file__, case)


def test_where_both_windows_are_whole_the_gradient_is_the_derivative():
    derivatives("torch.nn.CrossMapLRN2d(9, 0.5)(img)")


def test_windows_of_forward_and_backward_differ():
    assert neighbours(4, 3)[1].tolist() == [1, 1, 1, 0]
    assert window(4, 3)[1].tolist() == [1, 1, 0, 0]


def test_other_ranks_are_refused():
    with pytest.raises(ValueError, match="Expected input to be 4D, got 2D instead"):
        cross_map_lrn(edutorch.ones(2, 2), 3, 1.0, 1.0, 1.0)
