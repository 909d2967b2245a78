"""Products with vectors."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a @ row",
    "row @ row",
    "torch.mv(a, row)",
    "torch.dot(row, row * 2)",
    "torch.vdot(row, row)",
    "torch.vdot(complexes[0], complexes[1])",
    "torch.outer(row, a[0])",
    "torch.ger(row, row)",
    "row.dot(row)",
    "a.mv(row)",
    "row.outer(row)",
    "torch.outer(ints[0], singles[0].half())",
    "torch.outer(torch.tensor([1, 2], dtype=torch.int32), singles[0].bfloat16())",
]

SMOOTH = [
    "a @ row",
    "row @ row",
    "torch.outer(row, a[0])",
    "torch.vdot(complexes[0], complexes[1])",
    "torch.outer(row, complexes.reshape(-1))",
]

REFUSED = [
    "torch.outer(singles, 2)",
    "torch.outer(np.int64(2), singles)",
    "torch.dot(row, np.float32(2))",
    "torch.dot(a, row)",
    "torch.dot(row, torch.ones(3))",
    "torch.dot(row, row[:2])",
    "torch.outer(a, row)",
    "torch.mv(a, a)",
    "torch.mv(None, row)",
    "torch.mv(a, 'x')",
    "torch.mv(mask, mask[0])",
    "torch.dot(mask[0], mask[1])",
    "torch.vdot(mask[0], mask[1])",
    "torch.mv(ints, singles[0])",
]


@pytest.mark.parametrize("case", CASES)
def test_vector_products_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_vector_products_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_vector_products_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
