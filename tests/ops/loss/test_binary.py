"""Losses of decisions between two classes."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.binary_cross_entropy(prob, prob.detach().flip(1))",
    "F.binary_cross_entropy(prob, mask2.double(), row.detach(), reduction='sum')",
    "F.binary_cross_entropy(mask2.double(), mask2.double(), reduction='none')",
    "F.binary_cross_entropy(prob.float(), prob.detach().float(), torch.tensor([1, 2, 3]))",
    "F.binary_cross_entropy_with_logits(a, mask2.double())",
    "F.binary_cross_entropy_with_logits(zeroed, prob, positive.detach(), pos_weight=row.detach())",
    "F.binary_cross_entropy_with_logits(a * 100, prob, reduction='none')",
    "F.binary_cross_entropy_with_logits(a, mask2.float())",
    "F.multilabel_soft_margin_loss(a, mask2.double())",
    "F.multilabel_soft_margin_loss(a, mask2.double(), row.detach(), reduction='none')",
    "F.multilabel_soft_margin_loss(a[:, :1], b.detach())",
]

SMOOTH = [
    "F.binary_cross_entropy(prob, prob.flip(1))",
    "F.binary_cross_entropy_with_logits(a, prob, pos_weight=torch.full((3,), 2.5))",
    "F.binary_cross_entropy_with_logits(zeroed, prob)",
    "F.binary_cross_entropy_with_logits(zeroed, prob, torch.ones(3).double(), reduction='sum')",
    "F.soft_margin_loss(a, mask2 * 2.0 - 1)",
    "F.multilabel_soft_margin_loss(a, prob)",
]

REFUSED = [
    "F.multilabel_soft_margin_loss(a, b, reduction='max')",
    "F.multilabel_soft_margin_loss(a, b[:, :2], reduction='max')",
    "F.multilabel_soft_margin_loss(a, b, reduction=None)",
    "F.binary_cross_entropy_with_logits(row, row, pos_weight=row > 0)",
    "F.binary_cross_entropy(torch.tensor([True]), torch.ones(1))",
    "F.binary_cross_entropy('a', torch.ones(1))",
    "torch.nn.functional.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2), weight=[1.0])",
    "torch.nn.functional.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2), pos_weight=[1.0])",
    "F.binary_cross_entropy(a, prob)",
    "F.binary_cross_entropy(prob, a)",
    "F.binary_cross_entropy(prob, prob[:1])",
    "F.binary_cross_entropy(prob, singles)",
    "F.binary_cross_entropy(ints, ints)",
    "F.binary_cross_entropy_with_logits(a, row)",
    "F.binary_cross_entropy_with_logits(a, b, reduction='max')",
    "F.soft_margin_loss(a, b)",
    "F.binary_cross_entropy_with_logits(a, prob, positive)",
    "F.binary_cross_entropy_with_logits(a, prob, pos_weight=positive)",
    "F.soft_margin_loss(row, b.detach())",
    "F.binary_cross_entropy_with_logits(a, ints)",
]

COMPOSED = [
    "F.soft_margin_loss(a, mask2 * 2.0 - 1)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_binary_loss_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_binary_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_binary_loss_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_binary_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_soft_margin_loss_has_the_dtype_of_the_scores():
    import edutorch as torch

    f = torch.nn.functional.soft_margin_loss
    x, t = torch.tensor([0.5, -1.0]), torch.tensor([1, -1])
    assert f(x, t.double()).dtype is torch.float32
    assert f(x.half(), t, reduction="none").dtype is torch.float16
    with pytest.raises(RuntimeError, match="^result type Float can't be cast to"):
        f(t, x)


def test_logistic_losses_of_16_bit_floats_are_rounded_step_by_step():
    import edutorch as torch

    f = torch.nn.functional.binary_cross_entropy_with_logits
    x = torch.tensor([0.3, -1.7], dtype=torch.bfloat16, requires_grad=True)
    t = torch.tensor([0.9, 0.2], dtype=torch.bfloat16)
    y = f(x, t, reduction="none")
    (g,) = torch.autograd.grad(y.sum(), x)
    assert y.tolist() == [0.5859375, 0.5]
    assert g.tolist() == [-0.32421875, -0.0458984375]


@pytest.mark.parametrize("transposed", ["scores", "targets"])
def test_losses_of_logits_lie_in_memory_as_the_targets(transposed):
    x, t, w = edutorch.rand(3, 2), edutorch.rand(3, 2), edutorch.ones(2)
    if transposed == "scores":
        x = x.t().contiguous().t()
    else:
        t = t.t().contiguous().t()
    f = edutorch.nn.functional.binary_cross_entropy_with_logits
    y = f(x, t, weight=w, reduction="none")
    assert y.stride() == t.stride()
