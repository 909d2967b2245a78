"""What matrix functions refuse."""

import pytest

import edutorch as torch
from edutorch.ops.linalg.checks import (
    LinAlgError,
    index_of,
    need_matrix,
    need_square,
)


def test_linalg_error_is_a_runtime_error_with_pytorchs_name():
    assert issubclass(LinAlgError, RuntimeError)
    assert LinAlgError.__name__ == "_LinAlgError"
    assert torch.linalg.LinAlgError is LinAlgError


def test_singular_matrix_of_a_batch_is_named():
    x = torch.stack([torch.eye(2), torch.zeros(2, 2)])
    with pytest.raises(
        LinAlgError, match=r"\(Batch element 1\): The diagonal element 1"
    ):
        torch.linalg.inv(x)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (torch.ones(2), "at least 2 dimensions"),
        (torch.ones(2, 2, dtype=torch.int64), "Got Long"),
        (torch.ones(2, 2, dtype=torch.float16), "Low precision"),
    ],
)
def test_need_matrix_refuses_what_is_none(x, words):
    with pytest.raises(RuntimeError, match=words):
        need_matrix("f", x)


def test_need_square_refuses_other_shapes():
    with pytest.raises(RuntimeError, match="they are 2 by 3 matrices"):
        need_square("f", torch.ones(2, 3))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_need_matrix_names_the_kernel_that_half_precision_has_not(dtype):
    with pytest.raises(NotImplementedError, match=f'"f_cpu".*{dtype.short}'):
        need_matrix("f", torch.ones(2, 2, dtype=dtype), "f_cpu")
    with pytest.raises(NotImplementedError, match="'Int'"):
        need_matrix("f", torch.ones(2, 2, dtype=torch.int32), "f_cpu", integers=True)


def test_index_of_a_float_is_refused_by_its_name():
    with pytest.raises(TypeError, match="argument 'n' must be int, not float"):
        index_of(2.0, "f", "'n'")


def test_index_of_a_bool_is_refused_by_its_name():
    with pytest.raises(TypeError, match="argument 'n' must be int, not bool"):
        index_of(True, "f", "'n'")
