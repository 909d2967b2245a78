"""Eigenvalues and eigenvectors."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.eigvalsh(posdef)",
    'torch.linalg.eigvalsh(square, "U")',
    "torch.linalg.eigh(posdef).eigenvalues",
    "torch.linalg.eigvals(posdef).detach()",
]

SMOOTH = [
    "torch.linalg.eigvalsh(posdef[0] + posdef[0].t())",
    "torch.linalg.eigh(posdef[0] + posdef[0].t())[1] ** 2",
    "torch.linalg.eigvals(square).real",
    "abs(torch.linalg.eig(square)[1])",
]

REFUSED = [
    'torch.linalg.eigh(a, "x")',
    "torch.linalg.eigh(complexes)[1].real.sum().backward()",
    "torch.linalg.eig(square)[1].real.sum().backward()",
    "torch.linalg.eigh(a)",
    'torch.linalg.eigh(square, "x")',
    "torch.linalg.eigvals(a)",
    "torch.linalg.eigvals(row)",
    "torch.linalg.eigvals(ints)",
    "torch.linalg.eigvals(None)",
    "torch.linalg.eig([1.0])",
    "torch.linalg.eig(square.half())",
    "torch.linalg.eigh(3)",
    "torch.linalg.eigh(ints[:, :2])",
    "torch.linalg.eigh(square.bfloat16())",
    "torch.linalg.eigvalsh(a)",
    "torch.linalg.eigvalsh(None)",
    "torch.linalg.eigvalsh(square, 'x')",
]


@pytest.mark.parametrize("case", CASES)
def test_eigenvalues_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_spectra_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_spectra_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.linalg.eigh(posdef)[1] ** 2",
    "[y.stride() for y in torch.linalg.eigh(input=posdef)]",
    "[y.stride() for y in torch.linalg.eig(input=squares)]",
    "torch.linalg.eigvalsh(square, 'u')",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_spectra_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize(
    "find", [torch.linalg.eig, torch.linalg.eigh, torch.linalg.svd]
)
def test_second_derivatives_of_vectors_may_depend_on_their_phases_in_parts(find):
    rng = np.random.default_rng(3)
    x = torch.tensor(rng.standard_normal((5, 5, 2)) * 9).requires_grad_()
    weights = torch.tensor(rng.standard_normal((2, 5, 5)) * 99)

    def slope():
        z = torch.view_as_complex(x)
        vectors = find(z + z.mH if find is torch.linalg.eigh else z)[-1]
        y = (vectors.abs() * weights[0]).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        return (g[..., 0] * weights[1]).sum()

    (second,) = torch.autograd.grad(slope(), x)
    eps = 1e-6
    with torch.no_grad():
        x[1, 2, 0] += eps
    more = slope().item()
    with torch.no_grad():
        x[1, 2, 0] -= 2 * eps
    assert abs((more - slope().item()) / (2 * eps) / second[1, 2, 0] - 1) < 1e-4


def test_second_derivatives_of_factors_without_phases_are_found():
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    r = torch.linalg.qr(x)[1][0, 0].abs()
    (g,) = torch.autograd.grad(r, x, create_graph=True)
    (second,) = torch.autograd.grad(g[0, 0], x)  # r = sqrt(a² + c²)
    assert abs(second[0, 0].item() - 4 / 13**1.5) < 1e-6
    assert abs(second[1, 0].item() + 6 / 13**1.5) < 1e-6


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
def test_eigenvectors_lie_column_by_column_in_memory(dtype):
    assert torch.linalg.eig(torch.rand(3, 2, 2).to(dtype))[1].stride() == (4, 1, 2)
