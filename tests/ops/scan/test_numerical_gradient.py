"""Numerical derivatives."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.gradient(ints, spacing=(torch.arange(4),), dim=1)",
    "torch.gradient(a)",
    "torch.gradient(squares)",
    "torch.gradient(a, spacing=2.0)",
    "torch.gradient(a, spacing=(2.0, 3))",
    "torch.gradient(a, dim=1, edge_order=2)",
    "torch.gradient(posdef, dim=(0, 2))",
    "torch.gradient(posdef, spacing=[torch.tensor([0.0, 1.0, 4.0]).double()], dim=-1)",
    "torch.gradient(posdef, spacing=[positive[0].detach(), positive[1].detach() ** 2], dim=(1, 2), edge_order=2)",
    "torch.gradient(ints)",
    "torch.gradient(complexes)",
    "torch.gradient(a, dim=())",
    "torch.gradient(singles, spacing=torch.tensor(0.5))",
    "torch.gradient(posdef.detach().bfloat16(), spacing=[torch.tensor([0.3, 1.1, 4.0])], dim=-1)",
    "torch.gradient(posdef.detach().half(), spacing=[torch.tensor([1, 1, 4])], dim=-1)",
    "torch.gradient(posdef.detach().bfloat16(), spacing=[torch.tensor([0.3, 1.1, 4.0])], dim=-1, edge_order=2)",
    "torch.gradient(ints[:2], spacing=[torch.tensor([0.3, 1.1]).half()], dim=0)",
]

SMOOTH = [
    "torch.gradient(a)",
    "torch.gradient(a, dim=1, edge_order=2)",
    "torch.gradient(posdef, spacing=[torch.tensor([0.0, 1.0, 4.0]).double()], dim=-1)",
]

REFUSED = [
    "torch.gradient(a, spacing=(torch.tensor(2.0), torch.tensor(1.0)))",
    "torch.gradient(a, spacing=(a.detach(),), dim=1)",
    "torch.gradient(a, edge_order=3)",
    "torch.gradient(a, spacing=[0.1], dim=(0, 1))",
    "torch.gradient(a[:1])",
    "torch.gradient(a, edge_order=2)",
    "torch.gradient(a, dim=3)",
    "torch.gradient(a, dim=(1, 1))",
    "torch.gradient(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_numerical_gradients_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_numerical_gradients_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_numerical_gradients_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
