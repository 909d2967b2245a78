"""Distances and likeness of vectors."""

import pytest

from tests.ops.cases import alike, derivatives, refused

SMOOTH = [
    "F.pairwise_distance(a, b)",
    "F.pairwise_distance(a, b, 3.0)",
    "F.cosine_similarity(a, b)",
]

REFUSED = [
    "F.cosine_similarity(a, b, 5)",
    "F.pairwise_distance(a, ch)",
]

CASES = [
    "F.pairwise_distance(a, b)",
    "F.pairwise_distance(a, b, 1, keepdim=True)",
    "F.pairwise_distance(a, r, float('inf'))",
    "F.pairwise_distance(a, b, 3.0)",
    "F.pairwise_distance(a, b, 0).detach()",
    "torch.pairwise_distance(r, a[0])",
    "F.cosine_similarity(a, b)",
    "F.cosine_similarity(a, r, dim=-1)",
    "torch.cosine_similarity(a, 0 * b)",
]


@pytest.mark.parametrize("case", CASES)
def test_distance_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_distance_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_distance_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
