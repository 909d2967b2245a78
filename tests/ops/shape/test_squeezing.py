"""Dimensions of size 1."""

import math

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.unsqueeze(0)",
    "a.unsqueeze(-1)",
    "torch.unsqueeze(row, 1)",
    "scalar.unsqueeze(0)",
    "a[:1].squeeze()",
    "torch.squeeze(a[:1], 0)",
    "a.squeeze(0)",
    "a[:1].squeeze(torch.tensor([0]))",
    "a[:1].squeeze(torch.tensor(0))",
    "a[:1, :1].squeeze((0, 1))",
    "a.squeeze((0,))",
    "a[:1].squeeze(())",
    "scalar.squeeze()",
    "scalar.squeeze(0)",
]

SMOOTH = [
    "a.unsqueeze(1) ** 2",
    "a[:1].squeeze(0) ** 2",
]

REFUSED = [
    "a.squeeze(torch.tensor([0.0]))",
    "a.unsqueeze(np.array(0))",
    "a.squeeze(None)",
    "torch.squeeze(a, dim=None)",
    "a.unsqueeze(4)",
    "a.squeeze(2)",
    "a.squeeze((0, 0))",
]


@pytest.mark.parametrize("case", CASES)
def test_squeezing_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_squeezing_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_squeezing_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (1, 1, 2)])
@pytest.mark.parametrize("dim", [0, 1, 2, -1])
def test_unsqueeze_keeps_strides_of_dimensions_of_size_1(shape, dim):
    x = torch.arange(math.prod(shape)).view(shape).transpose(0, -1)
    y = x.unsqueeze(dim)
    place = dim % y.ndim
    assert y.stride()[:place] + y.stride()[place + 1 :] == x.stride()
    inner = x.shape[place] * x.stride(place) if place < x.ndim else 1
    assert y.stride(place) == inner
    assert y.squeeze(dim).equal(x) and y.data_ptr() == x.data_ptr()
