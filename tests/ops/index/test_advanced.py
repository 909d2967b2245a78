"""`index_put` and the implementation of `x[indices]`."""

import numpy as np
import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.index_put(a, (torch.tensor([0, 1]),), row.sum())",
    "a.index_put((torch.tensor([0, 1]), torch.tensor([1, 2])), b[:, 0])",
    "a.index_put((mask,), row.sum())",
    "a.index_put((torch.tensor([0, 0]),), b, accumulate=True)",
    "a.index_put((torch.tensor([0, 0]), torch.tensor([1, 1])), row[:2], accumulate=True)",
    "y = singles.clone(); y.index_put_((torch.tensor([1]),), torch.tensor(3.0)); y",
    "y = ints.clone(); y.index_put_((torch.tensor([1, 1]),), torch.tensor(3), "
    "accumulate=True); y",
    "y = a.clone(); y.index_put_((torch.tensor([1]),), row); y",
    "torch.zeros(2, 3).index_put((torch.tensor([0, 1], dtype=torch.uint8),), torch.ones(3))",
    "singles.index_put((mask.byte(),), torch.tensor(1.0), accumulate=True)",
    "y = mask.clone(); y.index_put_((y,), torch.tensor(False))",
]

SMOOTH = [
    "a.index_put((torch.tensor([1]),), row) ** 2",
    "a.index_put((torch.tensor([0, 0]),), b, accumulate=True) ** 2",
    "a.index_put((mask,), row.sum()) ** 2",
]

REFUSED = [
    "y = singles.clone(); y.index_put_((torch.tensor([0]),), torch.tensor(1))",
    "y = singles.clone(); y.index_put_((torch.tensor([0]),), torch.ones(2))",
    "y = singles.clone(); i = torch.tensor([0]); y.index_put_((i, i, i), torch.ones(1))",
    "y = singles.clone(); y.index_put_((torch.tensor([0.0]),), torch.ones(3))",
    "y = singles.clone(); y.index_put_((None, torch.tensor([0])), torch.ones(1))",
    "y = singles.clone(); y.index_put_((torch.tensor([7]),), torch.ones(3))",
    "singles.index_put((mask.byte(),), torch.tensor(1.0))",
    "singles.index_put((torch.tensor([0, 1, 1]).byte(),), torch.ones(3))",
    "y = singles.clone(); y.index_put_((torch.tensor([0, 1]),), y)",
    "y = torch.tensor([0, 1]); y.index_put_((y,), torch.tensor([5, 6]))",
]


@pytest.mark.parametrize("case", CASES)
def test_index_put_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_index_put_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_index_put_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_index_gradient_of_many_rows_equals_that_of_few():
    # Many values are added by another route than few.
    rng = np.random.default_rng(0)
    index = edutorch.from_numpy(rng.integers(-9, 9, 700))
    x = edutorch.from_numpy(rng.standard_normal((9, 4))).requires_grad_()
    weights = edutorch.from_numpy(rng.standard_normal((700, 4)))
    (x[index] * weights).sum().backward()
    expected = np.zeros((9, 4))
    np.add.at(expected, index.numpy(), weights.numpy())
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-12)


def test_index_gradient_of_many_places_equals_that_of_few():
    rng = np.random.default_rng(0)
    index = edutorch.from_numpy(rng.integers(0, 3, 500))
    x = edutorch.from_numpy(rng.standard_normal((4, 3))).requires_grad_()
    x[:, index].sum().backward()
    counts = np.bincount(index.numpy(), minlength=3)
    assert x.grad.tolist() == [counts.tolist()] * 4
