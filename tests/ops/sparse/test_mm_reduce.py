"""Products in which a row's products are averaged or compared."""

import pytest

import edutorch as torch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.ops.sparse.shown import gradients, prints

REDUCTIONS = ["sum", "mean", "amax", "amin"]


@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_reduced_mm_is_pytorchs(reduce: str):
    prints(f"torch.sparse.mm(C, D.t(), {reduce!r})")
    gradients(f"torch.sparse.mm(C, D.t(), {reduce!r})")


def test_reduced_mm_refuses_coordinate_format():
    prints("torch.sparse.mm(S, D.t(), 'amax')")


@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_reduced_mm_derivatives_are_those_of_differences(reduce: str):
    v = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
    x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)

    def product(v, x):
        a = torch.sparse_csr_tensor([0, 1, 1, 4], [2, 0, 1, 2], v, (3, 3))
        return torch.sparse.mm(a, x, reduce)

    assert gradcheck(product, (v, x))
    assert gradgradcheck(product, (v, x))
