"""Sums, means and maxima of rows of a table."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.embedding_bag(cls[None], square.detach(), include_last_offset=True)",
]

SMOOTH = [
    "F.embedding_bag(clsmap[0], w1[:, 0])",
    "F.embedding_bag(clsmap[0], w1[:, 0], mode='max')",
    "F.embedding_bag(cls, square, torch.tensor([0, 1]), mode='sum', per_sample_weights=row[:2])",
]

REFUSED = [
    "F.embedding_bag(cls, square)",
    "F.embedding_bag(clsmap[0], square, cls)",
    "F.embedding_bag(cls, square, torch.tensor([1]))",
    "F.embedding_bag(cls, square, torch.tensor([0, 9]))",
    "F.embedding_bag(cls, square, torch.tensor([[0]]))",
    "F.embedding_bag(cls, square, torch.tensor([0]), mode='median')",
    "F.embedding_bag(cls + 9, square, torch.tensor([0]))",
    "F.embedding_bag(row, square, torch.tensor([0]))",
    "F.embedding_bag(cls, square, torch.tensor([0]), mode='max', per_sample_weights=row[:2])",
    "F.embedding_bag(cls, square, torch.tensor([0]), mode='sum', per_sample_weights=row)",
    "F.embedding_bag(clsmap, square)",
    "F.embedding_bag(cls, square, torch.zeros(1))",
    "F.embedding_bag(cls, row, torch.tensor([0]))",
    "F.embedding_bag(cls, a, torch.tensor([0]), mode='max', scale_grad_by_freq=True)",
    "F.embedding_bag(cls[:0][None], square)",
    "F.embedding_bag(cls + 9, square, torch.tensor([1]), max_norm=1.0)",
    "F.embedding_bag(cls, a, torch.tensor([0]), mode='max', sparse=True, "
    "per_sample_weights=row[:2])",
    "F.embedding_bag(cls, square, torch.tensor([0]), mode='sum', "
    "per_sample_weights=row[:2].float())",
]

COMPOSED = [
    f"F.embedding_bag(clsmap[0], w1[:, 0], mode='{mode}'{options})"
    for mode in ("sum", "mean", "max")
    for options in ("", ", padding_idx=1")
] + [
    "F.embedding_bag(clsmap.reshape(-1), w1[:, 0], torch.tensor([0, 0, 5, 24]))",
    "F.embedding_bag(clsmap.reshape(-1), w1[:, 0], torch.tensor([0, 9, 24]), "
    "include_last_offset=True, mode='max')",
    "F.embedding_bag(clsmap[0], w1[:, 0], mode='sum', per_sample_weights=img[0, 0])",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_bags_equal_pytorch_but_for_what_follows_their_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_bags_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_bags_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_bags_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_tables_are_looked_at_before_indices():
    index, table = edutorch.zeros(()), edutorch.zeros(3)
    with pytest.raises(ValueError, match="weight has to be a 2D Tensor, but got"):
        edutorch.nn.functional.embedding_bag(index, table)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_have_the_name_of_pytorchs_node(mode):
    table = edutorch.ones(4, 3, requires_grad=True)
    index, offsets = edutorch.tensor([1, 0, 1]), edutorch.tensor([0, 0, 2])
    y = edutorch.nn.functional.embedding_bag(index, table, offsets, mode=mode)
    assert y.grad_fn.name() == "EmbeddingBagBackward0"
    assert str(y[0].tolist()) == "[0.0, 0.0, 0.0]"  # and not -0


def test_bags_are_none_where_none_begins():  # PyTorch's own may crash
    index, table = edutorch.arange(3), edutorch.ones(3, 2)
    y = edutorch.nn.functional.embedding_bag(index, table, index[:0], mode="sum")
    assert y.shape == (0, 2)
