"""Entries chosen along one dimension."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused
from tests.ops.sparse.shown import gradients

CASES = [
    "a.gather(0, torch.tensor([[0, 1, 0]]))",
    "torch.gather(a, 1, torch.tensor([[0, 2, 2, 1], [1, 1, 0, 0]]))",
    "a.gather(-1, torch.tensor([[0], [1]]))",
    "row.gather(0, torch.tensor([0, 0, 2, 1]))",
    "scalar.gather(0, torch.tensor([0, 0]))",
    "a.gather(0, torch.tensor([[0]], dtype=torch.int32))",
    "a.gather(1, torch.empty(2, 0, dtype=torch.int64))",
    "torch.gather(singles, 0, torch.tensor([[0]]), out=torch.empty(1, 1))",
    "torch.take_along_dim(a, a.argsort(1), 1)",
    "a.take_along_dim(torch.tensor([[0]]), 0)",
    "a.take_along_dim(torch.tensor([[-1]]), 1)",
    "a.take_along_dim(torch.tensor([5, 5, 0]))",
    "a.index_select(1, torch.tensor([2, 2, 0]))",
    "torch.index_select(seq, 0, torch.tensor([1]))",
    "a.index_select(0, torch.tensor(1))",
    "scalar.index_select(0, torch.tensor([0]))",
    "a.index_select(1, torch.tensor([], dtype=torch.int64))",
    "a.take(torch.tensor([0, 5, -1, 0]))",
    "torch.take(a, torch.tensor([[0], [1]]))",
    "torch.ones(1, 3).expand(2, 3).index_select(1, torch.tensor([0, 2])).stride()",
    "scalar.take(torch.tensor([0, 0]))",
    "singles[0].take(ints.t() % 2).stride()",
]

SMOOTH = [
    "a.gather(1, torch.tensor([[0, 2, 2, 1], [1, 1, 0, 0]])) ** 2",
    "a.index_select(1, torch.tensor([2, 2, 0])) ** 2",
    "a.take(torch.tensor([0, 5, -1, 0])) ** 2",
    "a.take_along_dim(torch.tensor([[0]]), 0) ** 2",
]

REFUSED = [
    "torch.index_select(img, 1, torch.tensor([9]))",
    "torch.index_select(img, 2, torch.tensor([9]))",
    "torch.index_select(torch.ones(2, 0), 0, torch.tensor([5]))",
    "torch.ones(0, 3).index_select(0, torch.tensor([0]))",
    "torch.ones(()).index_select(0, torch.tensor([0, 0]))",
    "torch.ones(()).index_select(0, torch.tensor([3]))",
    "torch.gather(None, 0, torch.tensor([0]))",
    "torch.take(None, torch.tensor([0]))",
    "torch.take_along_dim(a, None, 0)",
    "a.gather(0, torch.tensor([[5]]))",
    "a.gather(0, torch.tensor([[-1]]))",
    "a.gather(0, torch.tensor([0]))",
    "a.gather(0, torch.tensor([[0.0]]))",
    "a.gather(0, torch.tensor([[0, 0, 0, 0, 0]]))",
    "a.gather(2, torch.tensor([[0]]))",
    "a.index_select(0, torch.tensor([5]))",
    "a.index_select(0, torch.tensor([-1]))",
    "a.index_select(0, torch.tensor([[0]]))",
    "a.index_select(0, torch.tensor([0.0]))",
    "a.index_select(3, torch.tensor([0]))",
    "a.take(torch.tensor([50]))",
    "a.take(torch.tensor([0.0]))",
    "a.take(torch.tensor([0], dtype=torch.int32))",
    "a.take_along_dim(torch.tensor([0]), 0)",
    "a.take_along_dim(torch.tensor([[0.0]]), 0)",
    "a.gather(5, [0])",
    "a.index_select(5, 0)",
    "a.take_along_dim(torch.tensor([0]), 0.5)",
    "scalar.take_along_dim(torch.tensor(0), 0)",
]


@pytest.mark.parametrize("case", CASES)
def test_gathered_elements_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_chosen_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_chosen_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_entries_of_repeated_memory_are_chosen_without_a_copy_of_it():
    x = edutorch.arange(3.0).expand(2**33, 3)
    index = edutorch.tensor([5, 2**31])
    assert edutorch.take(x, index).tolist() == [2, 2]
    assert edutorch.take(x, edutorch.tensor([[-1]])).tolist() == [[2]]
    assert x.index_select(0, index).tolist() == [[0, 1, 2]] * 2
    assert x.gather(0, edutorch.tensor([[1, 2**32, 3]])).tolist() == [[0, 1, 2]]


def test_entries_are_taken_along_no_dimension_from_views_alone():
    x, index = edutorch.ones(2, 3).t(), edutorch.zeros(1, 2, dtype=edutorch.long)
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        edutorch.take_along_dim(x, index)
    assert edutorch.take_along_dim(x.contiguous(), index).shape == (2,)


@pytest.mark.parametrize(
    "call",
    [
        "torch.gather(D, 1, torch.tensor([[0, 0], [2, 1]]), sparse_grad=True)",
        "D.gather(0, torch.tensor([[1, 0, 1]]), sparse_grad=True)",
        "torch.gather(D * 2, 1, torch.tensor([[0], [1]]), sparse_grad=True)",
        "D.gather(1, torch.zeros(0, 1).long(), sparse_grad=True)",
        "v.gather(0, torch.tensor(1), sparse_grad=True)",
        "D.gather(1, torch.tensor([[0], [1]]), sparse_grad=True) + D[:, :1]",
    ],
)
def test_sparse_gradients_list_the_entries_that_were_chosen(call):
    gradients(call)
