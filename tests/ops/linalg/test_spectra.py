"""Eigenvalues and singular values."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.linalg.eigvalsh(h)",
    'torch.linalg.eigvalsh(q, "U")',
    "torch.linalg.svdvals(Q)",
    "torch.linalg.svdvals(a)",
    "torch.linalg.eigh(h).eigenvalues",
    "torch.linalg.eigvals(h).detach()",
]

SMOOTH = [
    "torch.linalg.eigvalsh(h[0] + h[0].t())",
    "torch.linalg.svdvals(a)",
    "torch.linalg.eigh(h[0] + h[0].t())[1] ** 2",
    "torch.linalg.svd(a, full_matrices=False)[0] ** 2",
    "torch.linalg.svd(a.t(), full_matrices=False)[2] ** 2",
    "torch.linalg.eigvals(q).real",
    "abs(torch.linalg.eig(q)[1])",
]

REFUSED = [
    "torch.linalg.eigh(a)",
    "torch.linalg.svdvals(r)",
    'torch.linalg.eigh(q, "x")',
    "torch.linalg.eigvals(a)",
]


@pytest.mark.parametrize("case", CASES)
def test_spectra_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_spectra_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_spectra_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.linalg.eigh(h)[1] ** 2",
    "torch.linalg.svd(a)[1]",
    "torch.linalg.svd(a, full_matrices=False)[0] ** 2",
    "torch.linalg.svd(Q)[2] ** 2",
    "torch.svd(a)[2] ** 2",
    "torch.linalg.norm(torch.zeros(3, 3, requires_grad=True), 2)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_spectra_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
