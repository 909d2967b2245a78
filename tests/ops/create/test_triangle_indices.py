"""Places in triangles of matrices."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.triu_indices(2, 2, dtype=int)",
    "torch.tril_indices(3, 3)",
    "torch.tril_indices(3, 4, 1)",
    "torch.tril_indices(2, 4, -1, dtype=torch.int32)",
    "torch.triu_indices(3, 4)",
    "torch.triu_indices(3, 4, -1)",
    "torch.triu_indices(4, 2, 2)",
    "torch.tril_indices(0, 3)",
]

REFUSED = [
    "torch.triu_indices(2, 2, dtype=float)",
    "torch.tril_indices(-1, 3)",
    "torch.triu_indices(3, -1)",
    "torch.tril_indices(3, 3, dtype=torch.float32)",
]


@pytest.mark.parametrize("case", CASES)
def test_triangles_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_triangles_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
