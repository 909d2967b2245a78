"""A few singular values of large matrices."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

COMPOSED = [
    "torch.manual_seed(0); torch.svd_lowrank(posdef[0].detach(), 2)",
    "torch.manual_seed(0); torch.svd_lowrank(a, 2)[1]",
    "torch.manual_seed(0); torch.svd_lowrank(posdef, 2, M=squares)[1]",
    "torch.manual_seed(0); torch.pca_lowrank(posdef[0], 2)[1]",
    "torch.manual_seed(0); torch.pca_lowrank(positive, center=False)[1]",
    "torch.manual_seed(0); x = torch.randn(4, 5) + 1j * torch.randn(4, 5); torch.svd_lowrank(x, 2, 0)[1]",
]

REFUSED = [
    "torch.svd_lowrank(singles, 2, M=True)",
    "torch.svd_lowrank(singles.bfloat16(), 2)",
    "torch.svd_lowrank(ints, 2)",
    "torch.pca_lowrank(a, 9)",
    "torch.pca_lowrank(a, niter=-1)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_lowrank_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_lowrank_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_pca_of_a_sparse_matrix_is_that_of_the_dense_one():
    x = torch.relu(torch.from_numpy(np.random.default_rng(1).standard_normal((7, 5))))
    torch.manual_seed(0)
    u, s, v = torch.pca_lowrank(x.to_sparse(), 5)
    assert torch.allclose((u * s) @ v.mT, x - x.mean(0))
