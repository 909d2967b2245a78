"""Values written where an index says."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.scatter(0, torch.tensor([[0, 1, 0]]), 1.5)",
    "torch.scatter(a, 1, torch.tensor([[0, 2], [1, 0]]), b[:, :2])",
    "row.scatter(0, torch.tensor([2, 0]), row[:2] * 2)",
    "a.scatter(1, torch.tensor([[0], [2]]), value=7)",
    "scalar.scatter(0, torch.tensor(0), 3.0)",
    "singles.scatter(0, torch.tensor([[0, 1, 0]]), 2.0, reduce='add')",
    "singles.scatter(0, torch.tensor([[0, 0], [0, 0]]), singles[:, :2], reduce='multiply')",
    "ints.scatter(0, torch.tensor([[0]]), 2.7)",
    "y = a.clone(); y.scatter_(0, torch.tensor([[0, 1, 0]]), 1.5); y",
    "a.scatter_add(1, torch.tensor([[0, 2, 2], [1, 1, 0]]), b)",
    "row.scatter_add(0, torch.tensor([0, 0, 0]), row * 2)",
    "a.t().scatter_add(1, torch.tensor([[0, 0], [1, 1]]), b.t()[:2])",
    "scalar.scatter_add(0, torch.tensor(0), scalar)",
    "torch.scatter_add(singles, 0, torch.tensor([[1, 0]]), singles)",
    "y = a.clone(); y.scatter_add_(1, torch.tensor([[0, 2, 2], [1, 1, 0]]), b); y",
    "mask.scatter(0, torch.tensor([[0, 1, 1]]), -1, reduce='add')",
    "x = torch.ones(2, 3); f = lambda x: x.scatter_add(0, torch.tensor([[0, 1]]), x); torch.func.jacfwd(f)(x)",
    "f = lambda x: x.scatter(1, torch.tensor([[1]]), x * x); torch.func.jvp(f, (singles,), (singles,))",
]

SMOOTH = [
    "a.scatter(0, torch.tensor([[0, 1, 0]]), 1.5) ** 2",
    "a.scatter(1, torch.tensor([[0, 2, 1], [1, 0, 2]]), b) ** 2",
    "a.scatter_add(1, torch.tensor([[0, 2, 2], [1, 1, 0]]), b) ** 2",
]

REFUSED = [
    "a.scatter(0, torch.tensor([[5]]), 1.0)",
    "a.scatter(0, torch.tensor([0]), 1.0)",
    "a.scatter(0, torch.tensor([[0, 0, 0, 0]]), 1.0)",
    "a.scatter(0, torch.tensor([[0, 1]]), b[:, :1])",
    "a.scatter(0, torch.tensor([[0]]), singles)",
    "a.scatter(0, torch.tensor([[0]]), row)",
    "a.scatter(0, torch.tensor([[0]]), 1.0, reduce='foo')",
    "a.scatter_add(0, torch.tensor([[0]]), singles)",
    "a.scatter_add(0, torch.tensor([[7]]), b)",
    "y = singles.clone(); y.scatter_(0, torch.tensor([[0]]), y)",
    "y = singles.clone(); y.scatter_add_(0, torch.tensor([[0]]), y)",
    "y = torch.tensor([0, 1]); y.scatter_(0, y, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_scattered_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_scattered_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_scattered_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_scatter_refuses_values_that_are_nowhere():
    x, index = edutorch.zeros(3), edutorch.tensor([0, 1])
    for values in (x.scatter_, x.scatter, x.scatter_add):
        with pytest.raises(RuntimeError, match="to be on the same device"):
            values(0, index, edutorch.ones(2, device="meta"))
