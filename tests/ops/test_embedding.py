"""Rows of a table."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.embedding(cls, squares[0])",
    "F.embedding(clsmap, w1[:, 0])",
    "F.embedding(clsmap, w1[:, 0], padding_idx=1)",
    "F.embedding(clsmap, w1[:, 0], padding_idx=-5)",
    "F.embedding(clsmap, w1[:, 0], scale_grad_by_freq=True)",
    "F.embedding(cls.int(), squares[0])",
    "w = square.detach().clone(); F.embedding(cls, w, max_norm=0.5); w",
    "w = square.detach().clone(); F.embedding(cls, w, max_norm=0.5, norm_type=0); w",
    "w = square.detach(); F.embedding(cls, w, max_norm=-1, norm_type=float('inf')); w",
    "F.embedding_bag(cls[None], square.detach(), include_last_offset=True)",
]

SMOOTH = [
    "F.embedding(cls, square)",
    "F.embedding_bag(clsmap[0], w1[:, 0])",
    "F.embedding_bag(clsmap[0], w1[:, 0], mode='max')",
    "F.embedding_bag(cls, square, torch.tensor([0, 1]), mode='sum', per_sample_weights=row[:2])",
]

REFUSED = [
    "F.embedding(cls + 9, square)",
    "F.embedding(cls - 3, square)",
    "F.embedding(row, square)",
    "F.embedding([1], square)",
    "F.embedding(cls, [1.0])",
    "F.embedding(cls.short(), square)",
    "F.embedding(cls, row)",
    "F.embedding(cls, square, padding_idx=9)",
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

BAGS = [
    f"F.embedding_bag(clsmap[0], w1[:, 0], mode='{mode}'{options})"
    for mode in ("sum", "mean", "max")
    for options in ("", ", padding_idx=1")
] + [
    "F.embedding_bag(clsmap.reshape(-1), w1[:, 0], torch.tensor([0, 0, 5, 24]))",
    "F.embedding_bag(clsmap.reshape(-1), w1[:, 0], torch.tensor([0, 9, 24]), "
    "include_last_offset=True, mode='max')",
    "F.embedding_bag(clsmap[0], w1[:, 0], mode='sum', per_sample_weights=img[0, 0])",
]


@pytest.mark.parametrize("case", BAGS)
def test_embedding_bag_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_embedding_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_embedding_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_embedding_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_sparse_gradients_by_frequency_are_refused():
    w = edutorch.ones(3, 2, requires_grad=True)
    index = edutorch.tensor([0, 2])
    y = edutorch.nn.functional.embedding(index, w, None, None, 2.0, True, True)
    with pytest.raises(RuntimeError, match="scale_grad_by_freq not supported"):
        y.sum().backward()


def test_tables_are_looked_at_before_indices():
    functional, index = edutorch.nn.functional, edutorch.zeros(())
    with pytest.raises(RuntimeError, match="^'weight' must be 2-D$"):
        functional.embedding(index, edutorch.zeros(3))
    with pytest.raises(
        ValueError, match="weight has to be a 2D Tensor, but got Tensor"
    ):
        functional.embedding_bag(index, edutorch.zeros(3))
    with pytest.raises(AssertionError, match="'weight' must be 2-D, got 1-D"):
        functional.embedding(index.to("meta"), edutorch.zeros(3, device="meta"))


def test_bags_are_none_where_none_begins():  # PyTorch's own may crash
    index, table = edutorch.arange(3), edutorch.ones(3, 2)
    y = edutorch.nn.functional.embedding_bag(index, table, index[:0], mode="sum")
    assert y.shape == (0, 2)
