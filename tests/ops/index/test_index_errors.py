"""Which index is wrong, and where, in PyTorch's words."""

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.index.index_errors import index_error, shape_of_entries

X = torch.arange(24.0).reshape(4, 3, 2)
MASK = torch.tensor([True, False, True])


@pytest.mark.parametrize(
    ("index", "words"),
    [
        ((None, -7), "index -7 is out of bounds for dimension 1 with size 4"),
        ((0, 0, 9), "index 9 is out of bounds for dimension 2 with size 2"),
        (([0, 9], [9, 0]), "index 9 is out of bounds for dimension 1 with size 3"),
        ((slice(None), [0, 9]), "index 9 is out of bounds for dimension 0 with size 3"),
        ((MASK, 0), "mask [3] at index 0 does not match the shape of the indexed "
                    "tensor [4, 2] at index 0"),
        ((..., [1, 0], False), "broadcast together with shapes [2], [0]"),
        ((0, 0, 0, "a"), "too many indices for tensor of dimension 3"),
    ],
)  # fmt: skip
def test_wrong_index_is_named(index, words):
    with pytest.raises(IndexError) as caught:
        X[index]
    assert words in str(caught.value)


def test_entries_of_nothing_need_not_exist():
    assert torch.zeros(2, 0, 3)[[-1, 2]].shape == (2, 0, 3)
    x = torch.zeros(2, 0, 3, requires_grad=True)
    x[[-1, 2]].sum().backward()
    assert x.grad.shape == (2, 0, 3)
    with pytest.raises(IndexError, match="dimension with size 0"):
        torch.zeros(2, 0, 3)[:, [0]]


def test_error_names_the_first_wrong_entry():
    with pytest.raises(IndexError, match="index 9"):
        X[9, "a"]
    with pytest.raises(TypeError, match="'str'"):
        X["a", 9]


def test_values_are_checked_before_bounds():
    with pytest.raises(
        RuntimeError, match=r"\[5\] cannot .* result of shape \[1, 3, 2\]"
    ):
        X.clone()[[99]] = torch.ones(5)
    with pytest.raises(RuntimeError, match="type float without overflow"):
        X.clone()[99] = 1j


def test_index_error_of_a_right_index_is_none():
    where = (np.array([0, 3]), np.array([True, False, True]))
    assert index_error((4, 3, 2), (0, 1), where) is None
    assert shape_of_entries((4, 3, 2), (0, 1), where) == (2, 2)
