"""Errors that PyTorch's Python functions raise before the compiled ones."""

import pytest

import edutorch as torch
from edutorch.ops.python_functions import python_error
from edutorch.ops.signatures import Unknown

x = torch.ones(2, 3)
CASES = [
    ("F.group_norm", {"input": 1}, "'int' object has no attribute 'dim'"),
    ("F.relu", {"input": "a"}, "relu(): argument 'input' (position 1) must be Tensor"),
    ("F.softmin", {"input": x, "dim": "a"}, "softmax(): argument 'dim' (position 1)"),
    ("unique", {"input": x, "dim": 0, "sorted": 1}, "unique_dim(): argument 'sorted'"),
    ("unique", {"input": x, "dim": None, "sorted": 1}, "_unique2(): argument 'sorted'"),
    ("meshgrid", {"tensors": (x, 1)}, "expected Tensor as element 1 in argument 0"),
    ("atleast_1d", {"tensors": (1,)}, "atleast_1d() received an invalid combination"),
    ("F.normalize", {"input": [1.0]}, "'list' object has no attribute 'norm'"),
    ("F.max_unpool1d", {"input": x, "indices": 1}, "no attribute 'unsqueeze'"),
    ("split", {"tensor": True}, "'bool' object has no attribute 'split'"),
    ("stft", {"center": True, "input": x, "n_fft": "a"}, "for //: 'str' and 'int'"),
    ("tensordot", {"a": x, "b": x, "dims": (1,)}, "not enough values to unpack"),
    ("norm", {"input": x, "p": 3, "dim": True}, "found element of type bool at pos 0"),
    ("F.adaptive_max_pool2d", {"input": x, "output_size": None}, "has no len()"),
    ("F.local_response_norm", {"input": x, "size": 1.5}, "failed to unpack the object"),
    ("F.unfold", {"input": x, "kernel_size": None}, "found element of type NoneType"),
]


@pytest.mark.parametrize(("name", "values", "words"), CASES)
def test_error_of_a_python_function_is_that_of_its_first_wrong_step(
    name, values, words
):
    assert words in str(python_error(name, values))


def test_right_arguments_and_unlisted_functions_have_no_error():
    assert python_error("F.relu", {"input": x}) is None
    assert python_error("meshgrid", {"tensors": ([x, x],), "indexing": None}) is None
    sizes = {"input": x, "output_size": (2, None)}
    assert python_error("F.adaptive_avg_pool2d", sizes) is None
    unset = {"input": x, "grid": x, "align_corners": None, "dim": None}
    assert python_error("F.grid_sample", unset) is None
    assert python_error("F.softmax", unset) is None
    assert python_error("nothing", {"input": 1}) is None


def test_expressions_of_unknown_arguments_are_not_evaluated():
    values = {"center": True, "input": x, "n_fft": Unknown()}
    assert python_error("stft", values) is None


def test_whatever_has_the_attribute_passes_the_step():
    assert python_error("split", {"tensor": "a b"}) is None
