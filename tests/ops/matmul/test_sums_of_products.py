"""A tensor plus a product."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "x = q.detach().bfloat16(); torch.addmm(x, x, x, beta=0.3, alpha=2.2)",
    "torch.addmm(a, b, q)",
    "torch.addmm(r, b, q, beta=0.5, alpha=2)",
    "torch.addmm(a, b, q, beta=0)",
    "torch.addmv(r, q, r)",
    "torch.addmv(r, q, r, beta=2, alpha=0.5)",
    "torch.addmv(s, q, r)",
    "torch.baddbmm(Q, Q, h)",
    "torch.baddbmm(r, Q, h, beta=0.5, alpha=3)",
    'torch.addmm(torch.full((2, 2), float("nan")), f, f.t(), beta=0)',
    "y = a * 1; y.addmm_(b, q); y",
    "y = r * 1; y.addmv_(q, r); y",
    "torch.addmm(k, k, torch.eye(3, dtype=torch.int64), alpha=2)",
    "a.addmm(b, q)",
]

SMOOTH = [
    "torch.addmm(r, b, q, beta=0.5, alpha=2)",
    "torch.addmv(r, q, r, alpha=2)",
    "torch.baddbmm(Q, Q, h, beta=0.5)",
    "torch.addbmm(q, Q, h)",
    "torch.addr(q, r, r)",
]

REFUSED = [
    "torch.addr(f, f, f[0])",
    "torch.addr(k, k[:, 0], k[0], beta=1.5)",
    "torch.addmm(a, a, a)",
    "torch.addmm(a, r, q)",
    "torch.addmv(r, q, a)",
]


@pytest.mark.parametrize("case", CASES)
def test_sums_of_products_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_sums_of_products_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_sums_of_products_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.addr(m, m[:, 0], n[0], beta=3, alpha=2)",
    "torch.addr(m, m[:, 0], n[0], beta=0)",
    "torch.addbmm(q, Q, h)",
    "torch.addbmm(q, Q, h, beta=0.5, alpha=2)",
    "torch.addr(a, r[:2], r)",
    "torch.addr(torch.zeros(3, 3), r.float(), r.float(), beta=0, alpha=2)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_sums_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
