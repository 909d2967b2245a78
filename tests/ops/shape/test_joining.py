"""`cat` and `stack`."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.cat([a, b])",
    "torch.cat((a, b), 1)",
    "torch.cat([a, b], dim=-1)",
    "torch.concat([a, a])",
    "torch.concatenate([a, row[None]])",
    "torch.cat([a, torch.empty(0, dtype=torch.float64)])",
    "torch.cat([torch.empty(0), torch.empty(0)])",
    "torch.cat([a, singles])",
    "torch.cat([ints, mask])",
    "torch.cat([singles, ints])",
    "torch.cat([ints, row[None]])",
    "torch.cat([a.t(), b.t()]).stride()",
    "torch.cat([singles, singles], out=torch.empty(4, 3))",
    "torch.stack([a, b])",
    "torch.stack((a, b), 1)",
    "torch.stack([a, b], -1)",
    "torch.stack([scalar, scalar])",
    "torch.stack([a])",
    "torch.stack([a.t()], -1).stride()",
    "torch.stack([scalar])",
    "torch.stack([singles, ints])",
    "torch.stack([singles, singles], out=torch.empty(0))",
]

SMOOTH = [
    "torch.stack([a], 1) ** 2",
    "torch.cat([a, b, a]) ** 2",
    "torch.cat([a, b], 1) ** 2",
    "torch.stack([a, b], 1) ** 2",
]

REFUSED = [
    "torch.cat([torch.ones(0), scalar])",
    "torch.cat([scalar], 1)",
    "torch.cat([])",
    "torch.cat(a)",
    "torch.cat([a, row])",
    "torch.cat([a, b[:, :2]])",
    "torch.cat([a, scalar])",
    "torch.cat([a, b], 2)",
    "torch.cat([a, 1])",
    "torch.cat([singles, singles], out=torch.zeros(4, 3, dtype=torch.int64))",
    "torch.cat([a, b], out=torch.zeros(4, 3, dtype=torch.float64))",
    "torch.stack([])",
    "torch.stack([a, row])",
    "torch.stack([a, b], 3)",
]


@pytest.mark.parametrize("case", CASES)
def test_joined_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_joined_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_joined_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("sizes", [(0, 0), (0, 3), ((0, 2), (0, 2)), (0, (2, 3))])
def test_parts_without_elements_have_gradients_without_elements(sizes):
    parts = [torch.ones(n, requires_grad=True) for n in sizes]
    gradients = torch.autograd.grad(torch.cat(parts).sum(), parts, create_graph=True)
    assert [g.shape for g in gradients] == [x.shape for x in parts]
