"""Products with vectors."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a @ r",
    "r @ r",
    "torch.mv(a, r)",
    "torch.dot(r, r * 2)",
    "torch.vdot(r, r)",
    "torch.vdot(z[0], z[1])",
    "torch.outer(r, a[0])",
    "torch.ger(r, r)",
    "r.dot(r)",
    "a.mv(r)",
    "r.outer(r)",
    "torch.outer(k[0], f[0].half())",
    "torch.outer(torch.tensor([1, 2], dtype=torch.int32), f[0].bfloat16())",
]

SMOOTH = [
    "a @ r",
    "r @ r",
    "torch.outer(r, a[0])",
    "torch.vdot(z[0], z[1])",
    "torch.outer(r, z.reshape(-1))",
]

REFUSED = [
    "torch.outer(f, 2)",
    "torch.outer(np.int64(2), f)",
    "torch.dot(r, np.float32(2))",
    "torch.dot(a, r)",
    "torch.dot(r, torch.ones(3))",
    "torch.dot(r, r[:2])",
    "torch.outer(a, r)",
    "torch.mv(a, a)",
    "torch.mv(None, r)",
    "torch.mv(a, 'x')",
    "torch.mv(m, m[0])",
    "torch.dot(m[0], m[1])",
    "torch.vdot(m[0], m[1])",
    "torch.mv(k, f[0])",
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
