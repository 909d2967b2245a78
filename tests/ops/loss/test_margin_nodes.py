"""The nodes of margin losses that PyTorch does not compose of ops."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives

WEIGHT = "torch.tensor([0.5, 2.0, 1.0]).to(a)"
CASES = [
    f"F.multi_margin_loss(a, cls, p={p}, weight={weight}, reduction='{reduction}')"
    for p in (1, 2)
    for weight in (None, WEIGHT)
    for reduction in ("mean", "sum", "none")
] + [
    "F.multi_margin_loss(row, cls[0])",
    "F.multi_margin_loss(row, cls[:1])",
    "F.multi_margin_loss(scalar, cls[1])",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 2, -1], [1, -1, 2]]))",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 0, 2], [1, -1, 2]]), reduction='none')",
    "F.multilabel_margin_loss(row, torch.tensor([1, 0, -1]), reduction='sum')",
    "F.multilabel_margin_loss(scalar, torch.tensor(0))",
]


@pytest.mark.parametrize("case", CASES)
def test_margin_losses_equal_pytorch_with_their_nodes(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", CASES[:12])
def test_margin_losses_have_second_derivatives(case):
    derivatives(case)


def test_margin_losses_are_batched_by_vmap():
    x, t = torch.randn(3, 2, 4, requires_grad=True), torch.zeros(2, dtype=torch.int64)

    def loss(rows):
        return torch.nn.functional.multi_margin_loss(rows, t)

    found = torch.func.vmap(torch.func.grad(loss))(x.detach())
    expected = torch.autograd.grad(sum(loss(rows) for rows in x), x)[0]
    assert torch.allclose(found, expected)


def test_node_keeps_the_version_of_its_target():
    x, t = torch.randn(2, 4, requires_grad=True), torch.tensor([0, 1])
    loss = torch.nn.functional.multi_margin_loss(x, t)
    t += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
