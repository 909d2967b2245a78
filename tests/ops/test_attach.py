"""How a public function becomes a method, an operator and an in-place twin."""

import warnings

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.attach import composite, into, method, public, refuse_numbers
from edutorch.tensor import Tensor


@pytest.fixture
def names():
    """Names that a test attaches to Tensor, taken away afterwards."""
    given = ["_twice", "_twice_", "_itwice", "_thrice"]
    yield given
    for name in given:
        if name in vars(Tensor):
            delattr(Tensor, name)


def twice(input, *, out=None):
    result = input * 2
    return result if out is None else into(out, result)


def test_public_attaches_the_function_unchanged_and_its_twin(names):
    assert public("_twice", inplace="_twice_", augmented="_itwice")(twice) is twice
    x = torch.ones(2)
    assert x._twice().tolist() == [2, 2] and x.tolist() == [1, 1]
    assert x._twice_() is x and x.tolist() == [2, 2]
    assert vars(Tensor)["_itwice"] is vars(Tensor)["_twice_"]


def test_method_attaches_under_the_name_without_its_prefix(names):
    def _tensor__thrice(self):
        return self * 3

    method(_tensor__thrice)
    assert torch.ones(1)._thrice().tolist() == [3]


def test_composite_marks_a_function():
    assert composite(lambda x: x).composite


def test_into_writes_converts_and_resizes():
    target = torch.zeros(2, dtype=torch.float64)
    assert twice(torch.ones(2), out=target) is target
    assert target.tolist() == [2, 2] and target.dtype is torch.float64


def test_into_refuses_gradients_in_the_name_of_the_function():
    words = r"add\(\): functions with out=\.\.\. arguments don't support"
    with pytest.raises(RuntimeError, match=words):
        torch.add(torch.ones(2, requires_grad=True), 1, out=torch.zeros(2))


def test_into_refuses_a_lower_kind_of_dtype():
    with pytest.raises(RuntimeError, match="result type Float can't be cast"):
        twice(torch.ones(2), out=torch.zeros(2, dtype=torch.int64))


def test_into_of_several_writes_each():
    targets = (torch.zeros(1), torch.zeros(1))
    assert into(targets, (torch.ones(1), torch.ones(1) * 2)) == targets
    assert [t.item() for t in targets] == [1, 2]


def test_refuse_numbers_takes_numpys_for_arrays():
    refuse_numbers("f", input=np.float64(1.0))
    with pytest.raises(TypeError, match="argument 'input' .* must be Tensor, not bool"):
        refuse_numbers("f", input=True)


def test_into_refuses_what_is_no_tensor_in_the_name_of_the_function():
    with pytest.raises(TypeError, match=r"add\(\): argument 'out' must be Tensor, not"):
        torch.add(torch.ones(2), 1, out="x")
    with pytest.raises(TypeError, match="argument 'out' must be tuple of Tensors, not"):
        torch.sort(torch.ones(2), out=torch.zeros(1))
    with pytest.raises(TypeError, match="expected tuple of 2 elements but got 1"):
        into((torch.zeros(1),), (torch.ones(1), torch.ones(1)))


def test_into_warns_of_resizing_what_is_not_empty():
    with pytest.warns(UserWarning, match=r"resized since it had shape \[3\]"):
        assert twice(torch.ones(2), out=torch.zeros(3)).tolist() == [2, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert twice(torch.ones(2), out=torch.zeros(0)).tolist() == [2, 2]


def test_into_refuses_memory_that_is_shared_by_elements():
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        twice(torch.ones(2), out=torch.zeros(1).expand(2))


def test_into_takes_a_leaf_without_grad_mode():
    target = torch.zeros(2, requires_grad=True)
    with torch.no_grad():
        assert twice(torch.ones(2), out=target) is target
