"""A tensor plus a product."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.addr(m, m[:, 0], n[0], beta=3, alpha=2)",
    "torch.addr(m, m[:, 0], n[0], beta=0)",
    "torch.addbmm(q, Q, h)",
    "torch.addbmm(q, Q, h, beta=0.5, alpha=2)",
    "torch.addr(a, r[:2], r)",
    "torch.addr(torch.zeros(3, 3), r.float(), r.float(), beta=0, alpha=2)",
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
    "torch.addbmm(k[:, :2], torch.ones(2, 2, 2, dtype=torch.int64), torch.ones(2, 2, 2, dtype=torch.int64))",
    "torch.addbmm(e[:, :2], e[:, :2][None], e[:, :2][None], alpha=2, beta=3)",
    "torch.addmm(z, z, z, alpha=1j, beta=2j)",
    "torch.addmv(z[0], z, z[1], alpha=1j)",
    "torch.addr(z, z[0], z[1], alpha=2j)",
    "torch.addr(f, k[0, :2], f[0])",
    "torch.addr(a, b[0, :2], r, beta=0)",
    "torch.addmm(f[:, :2], f * float('nan'), f.t(), alpha=0)",
    "torch.addmm(e[:, :2], e, e.t(), alpha=-1)",
    "torch.addr(f, f[0, :2] * float('nan'), f[0], alpha=0)",
    "torch.baddbmm(f[None, :, :2], f[None] * float('nan'), f.t()[None], alpha=0)",
    "torch.addbmm(f[:, :2], f[None] * float('nan'), f.t()[None], alpha=0)",
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
    "torch.addmm(m[:, :2], m, m.t())",
    "torch.addbmm(m[:, :2], m[None], m.t()[None])",
    "torch.addmv(r, q, r, beta='a')",
    "torch.addmv(r, a, r)",
    "torch.addmm(k, f, f.t())",
    "torch.addmm(f, k, f.t())",
    "torch.addmv(f[0, :2], k, f[0])",
    "torch.addr(k, k[0, :2], k[1], alpha=0.5)",
    "torch.addr(None, f[0], f[0])",
    "torch.addmm(f[:, :2], f[:, :2], f[:, :2] + 1j)",
    "torch.addbmm(f, torch.ones(2, 2, 2) + 1j, torch.ones(2, 2, 3))",
    "torch.baddbmm(torch.ones(2, 2, 2), torch.ones(2, 2, 2) + 1j, torch.ones(2, 2, 2))",
    "torch.baddbmm(torch.ones(2, 2, 2), torch.ones(2, 2, 2), torch.ones(2, 2, 2) + 1j)",
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
