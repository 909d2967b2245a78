"""Values reduced into entries."""

import pytest

from tests.ops.cases import alike, derivatives, refused

WAYS = ("sum", "prod", "mean", "amax", "amin")
ON = ("include_self=True", "include_self=False")
INDEX = "torch.tensor([[0, 1, 0], [1, 1, 2]])"
ROWS = "torch.tensor([1, 0, 1])"

CASES = [
    *(f"a.scatter_reduce(1, {INDEX}, b, '{w}', {s})" for w in WAYS for s in ON),
    *(f"ints.scatter_reduce(1, {INDEX}, ints2, '{w}', {s})" for w in WAYS for s in ON),
    f"torch.scatter_reduce(zeroed, 1, {INDEX}, zeroed, 'prod')",
    f"torch.scatter_reduce(ties, 1, {INDEX}, ties, 'amax')",
    "torch.scatter_reduce(scalar, 0, torch.tensor(0), scalar * 2, 'prod')",
    f"a.detach().clone().scatter_reduce_(1, {INDEX}, b, 'mean')",
    *(f"a.index_reduce(1, {ROWS}, b, '{w}', {s})" for w in WAYS[1:] for s in ON),
    f"ints.index_reduce(1, {ROWS}, ints2, 'amax')",
    f"a.detach().clone().index_reduce_(1, {ROWS}, b, 'prod')",
    "singles.scatter_reduce(0, torch.tensor([[0, 0, 1]]), singles, 'max')",
    "singles.scatter_reduce(0, torch.tensor([[0, 0, 1]]), singles, 'min', include_self=False)",
    "f = lambda x: x.scatter_reduce(0, torch.tensor([[0, 1, 1]]), x, 'mean'); torch.func.jvp(f, (singles,), (singles,))[1]",
]

SMOOTH = [
    *(f"a.scatter_reduce(1, {INDEX}, b, '{w}', {s})" for w in WAYS for s in ON),
    *(f"a.index_reduce(1, {ROWS}, b, '{w}', {s})" for w in WAYS[1:] for s in ON),
]

REFUSED = [
    "torch.scatter_reduce(torch.ones(3, 4, requires_grad=True), 0, torch.tensor([[0, 1], [2, 0]]), "
    "torch.ones(3, 4), 'amax').sum().backward()",
    "complexes[0].scatter_reduce(0, torch.tensor([5]), complexes[0], 'amax')",
    "mask[0].scatter_reduce(0, torch.tensor([5]), mask[0], 'mean', include_self=False)",
    f"a.scatter_reduce(1, {INDEX}, b, 'largest')",
    f"a.scatter_reduce(1, {INDEX} + 2, b, 'sum')",
    f"a.index_reduce(1, {ROWS}, b, 'sum')",
    f"a.index_reduce(1, {ROWS}.float(), b, 'prod')",
    "a.scatter_reduce(0, torch.tensor([[0, 0, 1]]), b, 'max').sum().backward()",
    "a.scatter_reduce(0, torch.tensor([[0], [0]]), b, 'sum').sum().backward()",
    "complexes.scatter_reduce(0, torch.tensor([[0]]), complexes, 'sum')",
    "complexes.index_reduce(0, torch.tensor([0, 1]), complexes, 'prod')",
    "y = singles.clone(); y.scatter_reduce_(0, torch.tensor([[0]]), y, 'sum')",
]


@pytest.mark.parametrize("case", CASES)
def test_reduced_entries_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_reduced_entries_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reduced_entries_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
