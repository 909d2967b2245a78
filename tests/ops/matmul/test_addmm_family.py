"""A tensor plus a product."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.addr(mask, mask[:, 0], mask2[0], beta=3, alpha=2)",
    "torch.addr(mask, mask[:, 0], mask2[0], beta=0)",
    "torch.addbmm(square, squares, posdef)",
    "torch.addbmm(square, squares, posdef, beta=0.5, alpha=2)",
    "torch.addr(a, row[:2], row)",
    "torch.addr(torch.zeros(3, 3), row.float(), row.float(), beta=0, alpha=2)",
    "x = square.detach().bfloat16(); torch.addmm(x, x, x, beta=0.3, alpha=2.2)",
    "torch.addmm(a, b, square)",
    "torch.addmm(row, b, square, beta=0.5, alpha=2)",
    "torch.addmm(a, b, square, beta=0)",
    "torch.addmv(row, square, row)",
    "torch.addmv(row, square, row, beta=2, alpha=0.5)",
    "torch.addmv(scalar, square, row)",
    "torch.baddbmm(squares, squares, posdef)",
    "torch.baddbmm(row, squares, posdef, beta=0.5, alpha=3)",
    'torch.addmm(torch.full((2, 2), float("nan")), singles, singles.t(), beta=0)',
    "y = a * 1; y.addmm_(b, square); y",
    "y = row * 1; y.addmv_(square, row); y",
    "torch.addmm(ints, ints, torch.eye(3, dtype=torch.int64), alpha=2)",
    "a.addmm(b, square)",
    "torch.addbmm(ints[:, :2], torch.ones(2, 2, 2, dtype=torch.int64), torch.ones(2, 2, 2, dtype=torch.int64))",
    "torch.addbmm(uint8s[:, :2], uint8s[:, :2][None], uint8s[:, :2][None], alpha=2, beta=3)",
    "torch.addmm(complexes, complexes, complexes, alpha=1j, beta=2j)",
    "torch.addmv(complexes[0], complexes, complexes[1], alpha=1j)",
    "torch.addr(complexes, complexes[0], complexes[1], alpha=2j)",
    "torch.addr(singles, ints[0, :2], singles[0])",
    "torch.addr(a, b[0, :2], row, beta=0)",
    "torch.addmm(singles[:, :2], singles * float('nan'), singles.t(), alpha=0)",
    "torch.addmm(uint8s[:, :2], uint8s, uint8s.t(), alpha=-1)",
    "torch.addmm(mask[:, :2], mask[:, :0], mask.t()[:0, :2], beta=True)",
    "torch.addr(singles, singles[0, :2] * float('nan'), singles[0], alpha=0)",
    "torch.baddbmm(singles[None, :, :2], singles[None] * float('nan'), singles.t()[None], alpha=0)",
    "torch.addbmm(singles[:, :2], singles[None] * float('nan'), singles.t()[None], alpha=0)",
]

SMOOTH = [
    "torch.addmm(row, b, square, beta=0.5, alpha=2)",
    "torch.addmv(row, square, row, alpha=2)",
    "torch.baddbmm(squares, squares, posdef, beta=0.5)",
    "torch.addbmm(square, squares, posdef)",
    "torch.addr(square, row, row)",
]

REFUSED = [
    "torch.addmm(torch.ones(2, 2, 2), torch.ones(5, 5), torch.ones(5, 5))",
    "torch.addr(torch.ones(2, 2, 2).int(), torch.ones(5).int(), torch.ones(5).int())",
    "torch.addr(singles, singles, singles[0])",
    "torch.addr(ints, ints[:, 0], ints[0], beta=1.5)",
    "torch.addmm(a, a, a)",
    "torch.addmm(a, row, square)",
    "torch.addmv(row, square, a)",
    "torch.addmm(mask[:, :2], mask, mask.t())",
    "torch.addbmm(mask[:, :2], mask[None], mask.t()[None])",
    "torch.addmv(row, square, row, beta='a')",
    "torch.addmv(row, a, row)",
    "torch.addmm(ints, singles, singles.t())",
    "torch.addmm(singles, ints, singles.t())",
    "torch.addmv(singles[0, :2], ints, singles[0])",
    "torch.addr(ints, ints[0, :2], ints[1], alpha=0.5)",
    "torch.addr(None, singles[0], singles[0])",
    "torch.addmm(singles[:, :2], singles[:, :2], singles[:, :2] + 1j)",
    "torch.addbmm(singles, torch.ones(2, 2, 2) + 1j, torch.ones(2, 2, 3))",
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
