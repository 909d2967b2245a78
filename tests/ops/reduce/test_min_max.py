"""The largest and the smallest."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.amax(complexes[:0].detach(), 1)",
    "torch.amin(complexes[:, :0].detach(), 0)",
    "a.max()",
    "torch.max(a, 0)",
    "torch.max(a, dim=-1, keepdim=True)",
    "ties.max()",
    "ties.max(1)",
    "specials.max()",
    "specials.max(0)",
    "ints.max()",
    "mask.max(1)",
    "scalar.max()",
    "scalar.max(0)",
    "torch.max(a, b)",
    "torch.max(ties, other=ties)",
    "a.amax()",
    "torch.amax(ties, 1)",
    "torch.amax(ties, (0, 1), True)",
    "specials.amax()",
    "a.min()",
    "torch.min(a, 0)",
    "torch.min(a, dim=-1, keepdim=True)",
    "ties.min()",
    "ties.min(1)",
    "specials.min()",
    "specials.min(0)",
    "ints.min()",
    "mask.min(1)",
    "scalar.min()",
    "scalar.min(0)",
    "torch.min(a, b)",
    "torch.min(ties, other=ties)",
    "a.amin()",
    "torch.amin(ties, 1)",
    "torch.amin(ties, (0, 1), True)",
    "specials.amin()",
    "torch.ones(0, 2).amax(1)",
    "torch.ones(2, 0).max(0)",
    "str(torch.max(ints, 1))",
    "y = torch.empty(2); i = torch.empty(2, dtype=torch.int64); torch.max(singles, 1, out=(y, i)); (y, i)",
    "torch.tensor([float('nan'), 1.0], requires_grad=True).amax()",
    "torch.tensor([[1.0, float('nan')], [2.0, 2.0]], requires_grad=True).amin(1)",
    "ints.aminmax(axis=1, keepdims=True)",
    "a.max(torch.tensor(1))",
    "torch.min(a, torch.tensor(0))",
    "a.max(dim=torch.tensor(1))",
    "torch.min(input=a, dim=torch.tensor(0))",
    "a.max(other=torch.tensor(1))",
    "a.max(torch.tensor(1), True)",
    "a.min(torch.tensor(1), keepdim=True)",
    "torch.max(singles, torch.tensor(0), out=(torch.empty(0), torch.empty(0).long()))",
    "a.max(**{'dim': torch.tensor(1)})",
    "list(map(torch.max, [a], [torch.tensor(0)]))",
    "[f(dim=torch.tensor(0)) for f in (a.max, a.min)]",
]

SMOOTH = [
    "a.max()",
    "a.max(1).values",
    "a.min(0).values",
    "torch.amax(a, 1)",
    "torch.amin(a)",
    "torch.aminmax(a).max",
]

REFUSED = [
    "a.max(None)",
    "torch.min(a, dim=None)",
    "torch.max(a, other=None)",
    "torch.max(a, keepdim=True)",
    "torch.ones(0).max()",
    "torch.ones(0, 2).max(0)",
    "a.max(3)",
    "torch.ones(0, 2).amax(0)",
    "torch.ones(2, 0, 3).amin((0, 0, -2))",
    "torch.ones(0).amax(-1)",
    "complexes.max(0)",
    "torch.max(singles, 0, out=singles)",
    "torch.aminmax(None)",
    "a.max(dim=torch.tensor(1.0))",
    "a.max(dim=torch.tensor([1]))",
    "a.max(0, dim=0)",
]


@pytest.mark.parametrize("case", CASES)
def test_extremes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_extremes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_extremes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.aminmax(a)",
    "torch.aminmax(a, dim=1, keepdim=True)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_extremes_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
