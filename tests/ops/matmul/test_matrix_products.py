"""Matrix products."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "square @ posdef[0]",
    "a @ square",
    "torch.matmul(a, a.t())",
    "torch.mm(a, square)",
    "str(torch.tensor([[-1.0], [0.0]]) @ torch.tensor([[0.0, 1.0, -0.0]]))",
    "str(torch.tensor([[[-1.0], [0.0]]]) @ torch.tensor([[0.0, 1.0, -0.0]]))",
    "ints @ ints2.t()",
    "complexes @ complexes",
    "complexes @ complexes[0]",
    "torch.inner(a, b)",
    "torch.inner(row, row)",
    "torch.inner(scalar, a)",
    "torch.inner(squares, square)",
    "torch.ones(2, 0) @ torch.ones(0, 3)",
    "torch.ones(3, 2, dtype=torch.float16) @ torch.ones(2, 2, dtype=torch.float16)",
    "y = torch.empty(2, 2); torch.mm(singles, singles.t(), out=y); y",
    "a.matmul(square)",
    "a.mm(square)",
    "torch.inner(torch.ones(0, dtype=torch.float64), torch.ones(0, dtype=torch.float64))",
    "torch.inner(torch.ones(2, 0), torch.ones(3, 0))",
]

SMOOTH = [
    "square @ posdef[0]",
    "row @ square",
    "squares @ posdef",
    "squares @ row",
    "row @ squares",
    "square @ squares",
    "complexes @ complexes",
    "torch.inner(a, b)",
]

REFUSED = [
    "torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 2).int())",
    "torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 4), torch.ones(7, 1))",
    "torch.chain_matmul(torch.ones(2))",
    "torch.chain_matmul(torch.ones(2, 3), torch.ones(3))",
    "torch.inner(ints, singles[0, :2])",
    "torch.inner(np.float32(1), singles)",
    "torch.inner(mask[0], mask2[0])",
    "torch.matmul(singles, ints)",
    "torch.matmul(singles, ints[0, :2])",
    "a @ a",
    "a @ torch.ones(2, dtype=torch.float64)",
    "squares @ a",
    "scalar @ scalar",
    "a @ 2",
    "torch.mm(a, row)",
    "torch.mm(row, a)",
    "singles @ square",
    "singles.half() @ square",
    "singles.bfloat16() @ singles.t()",
    "torch.matmul(a, 2)",
    "torch.inner(a, row[:2])",
    "squares @ squares.float()",
    "torch.mm(None, a)",
    "torch.mm(a, [1.0])",
    "torch.mm(mask, mask.t())",
    "torch.inner(None, a)",
    "torch.inner(singles, ints)",
    "torch.chain_matmul()",
    "torch.chain_matmul(a, None)",
    "torch.ones(2, 2, 3) @ (torch.ones(3) + 1j)",
    "torch.ones(2, 2, 3) @ (torch.ones(3, 2) + 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_products_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_products_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_products_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.matmul(torch.ones(5, 5, 0), torch.ones(0, 5))",
    "row @ square",
    "squares @ posdef",
    "square @ squares",
    "squares @ row",
    "row @ squares",
    "squares[:1] @ squares",
    "torch.chain_matmul(a, square, square)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_batched_products_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_chain_matmul_says_that_it_is_deprecated():
    with pytest.warns(UserWarning, match="torch.chain_matmul is deprecated"):
        torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 1))


def test_products_of_vectors_of_one_number_have_no_dimension_too_many():
    for dtype in (torch.float32, torch.complex64, torch.int64):
        one, row, column = (torch.ones(s, dtype=dtype) for s in ((1,), (1, 3), (3, 1)))
        assert (one @ row).shape == (column @ one).shape == (3,)
        assert (one @ one).shape == ()
        assert (one @ torch.ones(2, 1, 3, dtype=dtype)).shape == (2, 3)
