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
]

SMOOTH = [
    "F.embedding(cls, square)",
]

REFUSED = [
    "F.embedding(cls % 2, complexes)",
    "F.embedding(cls + 9, square)",
    "F.embedding(cls - 3, square)",
    "F.embedding(row, square)",
    "F.embedding([1], square)",
    "F.embedding(cls, [1.0])",
    "F.embedding(cls.short(), square)",
    "F.embedding(cls, row)",
    "F.embedding(cls, square, padding_idx=9)",
]


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
    with pytest.raises(AssertionError, match="'weight' must be 2-D, got 1-D"):
        functional.embedding(index.to("meta"), edutorch.zeros(3, device="meta"))
