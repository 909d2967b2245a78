"""Distances and likeness of vectors."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.distance import pairs_of
from tests.ops.cases import alike, derivatives, refused

SMOOTH = [
    "F.pairwise_distance(a, b)",
    "F.pairwise_distance(a, b, 3.0)",
    "F.cosine_similarity(a, b)",
    "torch.pdist(square)",
    "torch.pdist(square, 3)",
]

REFUSED = [
    "F.cosine_similarity(ints, ints)",
    "F.cosine_similarity(complexes, complexes)",
    "F.cosine_similarity(a, b, eps=-1.0)",
    "F.cosine_similarity(None, b)",
    "torch.pdist(1.5)",
    "torch.pdist(row)",
    "torch.pdist(a, -1)",
    "torch.pdist(ints)",
    "torch.pdist(a.half())",
    "F.cosine_similarity(a, b, 5)",
    "F.pairwise_distance(a, ch)",
]

CASES = [
    "F.pdist(a, 0.0)",
    "F.cosine_similarity(ints, singles)",
    "F.cosine_similarity(singles, singles.flip(0).bfloat16())",
    "F.cosine_similarity(singles.half(), singles.flip(0))",
    "F.pairwise_distance(a, b)",
    "F.pairwise_distance(a, b, 1, keepdim=True)",
    "F.pairwise_distance(a, row, float('inf'))",
    "F.pairwise_distance(a, b, 3.0)",
    "F.pairwise_distance(a, b, 0).detach()",
    "torch.pairwise_distance(row, a[0])",
    "F.cosine_similarity(a, b)",
    "F.cosine_similarity(a, row, dim=-1)",
    "torch.cosine_similarity(a, 0 * b)",
    "F.cosine_similarity(a.reshape(1, 2, 3), a.reshape(2, 1, 3), dim=-2)",
    *(f"F.pdist(square, {p})" for p in (0, 0.5, 1, 1.5, 2, 3, "float('inf')")),
    "F.pdist(square[[0, 0, 1]])",
    "F.pdist(square[:1])",
    "F.cosine_similarity(singles, torch.tensor(2.0, dtype=torch.float64))",
]


@pytest.mark.parametrize("case", CASES)
def test_distance_equals_pytorch_with_its_node(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_distance_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_distance_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_pairs_of_rows_are_counted_in_order():
    assert [(i, s.start, s.stop) for i, s in pairs_of(3)] == [(0, 0, 2), (1, 2, 3)]
    assert list(pairs_of(1)) == [] == list(pairs_of(0))


def test_pdist_of_many_blocks_equals_the_norms_of_the_differences():
    x = np.random.default_rng(3).standard_normal((60, 40))
    i, j = np.triu_indices(60, 1)
    expected = np.linalg.norm(x[i] - x[j], axis=1)
    with_blocks = torch.pdist(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(with_blocks, expected)
