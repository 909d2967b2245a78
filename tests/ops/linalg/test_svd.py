"""Singular values and vectors."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.svdvals(squares)",
    "torch.linalg.svdvals(a)",
    "torch.linalg.svdvals(torch.zeros(2, 0, 3))",
]

SMOOTH = [
    "torch.linalg.svdvals(a)",
    "torch.linalg.svd(a, full_matrices=False)[0] ** 2",
    "torch.linalg.svd(a.t(), full_matrices=False)[2] ** 2",
]

REFUSED = [
    "torch.linalg.svd(complexes)[0].real.sum().backward()",
    "torch.linalg.svdvals(row)",
    "torch.linalg.svdvals(None)",
    "torch.linalg.svd([1.0])",
    "torch.linalg.svd(ints)",
    "torch.linalg.svd(a.half())",
    "torch.svd(row)",
    "torch.svd(2)",
]

COMPOSED = [
    "torch.linalg.svd(a)[1]",
    "torch.linalg.svd(a, full_matrices=False)[0] ** 2",
    "torch.linalg.svd(squares)[2] ** 2",
    "torch.svd(a)[2] ** 2",
    "torch.linalg.norm(torch.zeros(3, 3, requires_grad=True), 2)",
    "[y.stride() for y in torch.linalg.svd(squares)]",
    "[y.stride() for y in torch.linalg.svd(a.t(), False)]",
    "[y.stride() for y in torch.svd(a)]",
    "[y.stride() for y in torch.svd(squares, compute_uv=False)]",
    "torch.linalg.svdvals(A=a, driver=None)",
]


@pytest.mark.parametrize("case", CASES)
def test_singular_values_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_singular_values_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_singular_values_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_singular_values_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_on_the_meta_device_right_vectors_lie_by_rows_and_phases_are_unknown():
    x = edutorch.zeros(3, 4, dtype=edutorch.complex64, device="meta").requires_grad_()
    u, _, vh = edutorch.linalg.svd(x)
    assert u.stride() == (1, 3) and vh.stride() == (4, 1)
    with pytest.raises(RuntimeError, match=r"item\(\) cannot be called on meta"):
        u.abs().sum().backward()
