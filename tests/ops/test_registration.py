"""How a public function becomes a method, an operator and an in-place variant."""

import pickle

import pytest

import edutorch as torch
from edutorch.ops.registration import composite, copyto, method, public
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
    return result if out is None else copyto(out, result)


def test_public_attaches_the_function_and_its_inplace_variant(names):
    assert public("_twice", inplace="_twice_", augmented="_itwice")(twice) is twice
    x = torch.ones(2)
    assert x._twice().tolist() == [2, 2] and x.tolist() == [1, 1]
    assert x._twice_() is x and x.tolist() == [2, 2]
    assert vars(Tensor)["_itwice"].stands_for is vars(Tensor)["_twice_"]


def test_operators_are_functions_whose_code_has_the_operators_name():
    assert Tensor.__sub__.__code__.co_name == "__sub__"
    assert Tensor.__sub__.stands_for is torch.sub
    assert Tensor.__isub__.__code__.co_name == "__isub__"


def test_method_attaches_under_the_name_without_its_prefix(names):
    def _tensor__thrice(self):
        return self * 3

    method(_tensor__thrice)
    assert torch.ones(1)._thrice().tolist() == [3]


def test_composite_marks_a_function():
    assert composite(lambda x: x).composite


def test_python_names_methods_as_methods_of_tensor():
    """Not after the functions that stand for them in their files."""
    methods = [v for v in vars(Tensor).values() if hasattr(v, "__code__")]
    assert not any(f.__qualname__.startswith("_tensor_") for f in methods)
    with pytest.raises(TypeError, match=r"^Tensor\.sum\(\) got an unexpected keyword"):
        torch.ones(2).sum(axes=0)


def test_methods_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(Tensor.sum)) is Tensor.sum
