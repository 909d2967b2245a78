"""What products of matrices refuse."""

import pytest

import edutorch as torch
from edutorch.ops.matmul.checks import check_linear, expand_mismatch, shape_mismatch


def test_shape_mismatch_names_both_shapes():
    assert "(2x3 and 4x5)" in shape_mismatch((2, 3), (4, 5))


def test_expand_mismatch_names_the_last_dimension_that_does_not_fit():
    assert expand_mismatch((3,), (2, 4)).startswith(
        "The expanded size of the tensor (4)"
    )
    assert "non-singleton dimension 0" in expand_mismatch((3, 1), (2, 4))
    assert "must be greater or equal" in expand_mismatch((1, 1, 1), (2, 4))


def test_check_linear_of_rows_that_do_not_fit_names_both_shapes():
    with pytest.raises(RuntimeError, match=r"\(6x4 and 5x2\)"):
        check_linear(torch.ones(2, 3, 4), torch.ones(2, 5))
    with pytest.raises(RuntimeError, match="at least 1D"):
        check_linear(torch.tensor(1.0), torch.ones(2, 5))


def test_check_linear_of_other_dtypes_names_them():
    x, w, b = torch.ones(2, 3), torch.ones(4, 3), torch.ones(4)
    check_linear(x, w, b)
    with pytest.raises(RuntimeError, match="float != double"):
        check_linear(x, w.double())
    with pytest.raises(RuntimeError, match="self and mat2 must have the same dtype"):
        check_linear(x, w, b.double())
