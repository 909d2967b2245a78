"""Tensors as matrices."""

import pytest

from tests.ops.cases import alike, derivatives, refused

COMPOSED = [
    "torch.linalg.tensorinv(square, ind=1)",
    "torch.linalg.tensorinv(square.reshape(3, 1, 3), ind=2)",
    "torch.linalg.tensorinv(posdef[0].reshape(1, 3, 3), 2)",
    "torch.linalg.tensorsolve(square.reshape(3, 1, 3), row.reshape(3, 1))",
    "torch.linalg.tensorsolve(square, row)",
    "torch.linalg.tensorsolve(posdef[0].reshape(3, 1, 3), row.reshape(1, 3), dims=(0,))",
    "torch.linalg.tensorsolve(input=square, other=row)",
    "torch.linalg.tensorinv(input=square, ind=1).stride()",
]

SMOOTH = [
    "torch.linalg.tensorinv(square, ind=1)",
    "torch.linalg.tensorsolve(square, row)",
]

REFUSED = [
    "torch.linalg.tensorinv(square, ind=0)",
    "torch.linalg.tensorinv(a, ind=1)",
    "torch.linalg.tensorsolve(square, torch.ones(2))",
    "torch.linalg.tensorinv(None)",
    "torch.linalg.tensorinv(square, ind=1.0)",
    "torch.linalg.tensorinv(scalar)",
    "torch.linalg.tensorsolve(square, None)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_tensors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_tensors_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_tensors_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
