"""Vector norms and distances."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.vector_norm(torch.tensor([1.5]), 300)",
    "torch.linalg.vector_norm(torch.tensor([[1.5], [-2.0]]), 300, dim=1, keepdim=True)",
    "torch.linalg.vector_norm(torch.tensor([1e30]))",
    "torch.linalg.vector_norm(torch.tensor([3 + 4j]), 300)",
    "torch.dist(a, b)",
    "torch.dist(a, row, 1)",
    'torch.dist(a, b, float("inf"))',
    "torch.dist(a, b, 3)",
    "torch.dist(a, a)",
    "torch.dist(a, b, 0.5)",
    "torch.dist(singles, singles * 2, 0)",
    "singles.bfloat16().norm()",
    "torch.linalg.vector_norm(singles.bfloat16(), 1, 1)",
]

SMOOTH = [
    "torch.dist(a, b)",
    "torch.dist(a, b, 3)",
    "torch.renorm(a, 2, 0, 1.0)",
]

REFUSED = [
    "torch.linalg.vector_norm(singles, 2, 5, dtype=torch.complex64)",
    "torch.dist(ints, ints)",
    "torch.renorm(row, 2, 0, 1.0)",
    "torch.renorm(a, -1, 0, 1.0)",
    "torch.renorm(a, 2, 0, -1.0)",
    "torch.renorm(None, 2, 0, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_norms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_norms_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_norms_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.renorm(a, 2, 0, 1.0)",
    "torch.renorm(a, 1, 1, 0.5)",
    "y = a * 1; y.renorm_(2, 0, 1.0); y",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_norms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("transposed", [False, True])
def test_norm_of_many_numbers_is_added_in_pytorchs_order(transposed):
    edutorch.manual_seed(0)
    x = edutorch.rand(500, 401)
    x = x.t() if transposed else x
    exact = x.double().norm().item()
    assert exact == pytest.approx(258.81121917081794, rel=1e-12)
    assert x.norm().item() == 258.8110046386719  # PyTorch's, on any processor
    assert x.norm(keepdim=True).shape == (1, 1)
    total = edutorch.nn.utils.get_total_norm([x, x])
    assert total.item() == 366.0140380859375
