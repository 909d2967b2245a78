"""Losses that ask for a margin."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.hinge_embedding_loss(a, mask2 * 2.0 - 1)",
    "F.hinge_embedding_loss(a, mask2 * 2.0 - 1, 0.5, reduction='none')",
    "F.margin_ranking_loss(a, b, mask2 * 2.0 - 1)",
    "F.margin_ranking_loss(a, b, mask2 * 2.0 - 1, 0.5, reduction='sum')",
    "F.cosine_embedding_loss(a, b, torch.tensor([1, -1]), 0.1)",
    "F.cosine_embedding_loss(row, a[0], torch.tensor(1), reduction='sum')",
]

SMOOTH = [
    "F.hinge_embedding_loss(a, mask2 * 2.0 - 1)",
    "F.margin_ranking_loss(a, b, mask2 * 2.0 - 1)",
    "F.multi_margin_loss(a, cls, 2, 0.5, torch.tensor([0.5, 2.0, 1.0]).to(a))",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 2, -1], [1, -1, 2]]))",
    "F.cosine_embedding_loss(a, b, torch.tensor([1, -1]))",
]

REFUSED = [
    "F.multi_margin_loss(ints, cls)",
    "F.multilabel_margin_loss(ints, ints * 0)",
    "F.hinge_embedding_loss(a, ch)",
    "F.margin_ranking_loss(a, b, row)",
    "F.multi_margin_loss(a, cls + 1)",
    "F.multi_margin_loss(a, ints[0])",
    "F.multi_margin_loss(a, cls, 3)",
    "F.multi_margin_loss(a, cls, weight=ch)",
    "F.multi_margin_loss(seq, cls)",
    "F.multi_margin_loss(a, row[:2])",
    "F.multilabel_margin_loss(a, ints)",
    "F.multilabel_margin_loss(a, cls)",
    "F.multilabel_margin_loss(a, b)",
    "F.cosine_embedding_loss(a, b, ints)",
    "F.cosine_embedding_loss(row, row, cls)",
    "F.hinge_embedding_loss(a, b, reduction='max')",
]

COMPOSED = [
    "F.multi_margin_loss(a, cls)",
    "F.multi_margin_loss(a, cls, 2, 0.5, row.detach(), reduction='none')",
    "F.multi_margin_loss(row, cls[0])",
    "F.multilabel_margin_loss(a, torch.tensor([[0, 2, -1], [1, -1, 2]]))",
    "F.multilabel_margin_loss(row, torch.tensor([0, 0, 1]), reduction='none')",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_margin_loss_equals_pytorch_with_its_node(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", CASES)
def test_margin_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_margin_loss_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_margin_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_margin_takes_the_dtype_that_pytorch_gives_it():
    whole = edutorch.tensor([3, 1])
    signs = edutorch.tensor([1, -1])
    f = edutorch.nn.functional
    assert f.hinge_embedding_loss(whole, signs, 1.0, reduction="none").tolist() == [
        3,
        0,
    ]
    assert (
        f.hinge_embedding_loss(whole, signs, 0, reduction="none").dtype is whole.dtype
    )
    ranked = f.margin_ranking_loss(whole, 2 * whole, signs, True, reduction="none")
    assert ranked.tolist() == [4.0, 0.0] and ranked.dtype is edutorch.float32


def test_margin_that_is_nan_loses_nothing():
    x, classes = edutorch.tensor([[1.0, 2.0]]), edutorch.tensor([0])
    loss = edutorch.nn.functional.multi_margin_loss(x, classes, margin=float("nan"))
    assert loss.item() == 0.0


def test_a_weight_of_another_shape_is_refused_before_its_gradient_is():
    weight = edutorch.ones(2, 3, requires_grad=True)
    with pytest.raises(ValueError, match="weight must be one-dimensional"):
        edutorch.nn.functional.multi_margin_loss(
            edutorch.ones(2, 3), edutorch.tensor([0, 1]), weight=weight
        )


def test_a_margin_may_be_a_tensor_of_one_number():
    x, target = edutorch.tensor([[1.0, 1.5, 0.0]]), edutorch.tensor([0])
    loss = edutorch.nn.functional.multi_margin_loss
    assert loss(x, target, margin=edutorch.tensor(0.5)) == loss(x, target, margin=0.5)
