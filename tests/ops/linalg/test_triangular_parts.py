"""Triangles of matrices."""

import numpy as np

import edutorch as torch
from edutorch.autograd.foreign_operands import accept_arrays
from edutorch.ops.linalg.triangular_parts import half_diagonal, lower, upper


def test_lower_and_upper_of_arrays_and_tensors_are_tril_and_triu():
    x = np.arange(12.0).reshape(3, 4)
    for k in (-1, 0, 1):
        with accept_arrays():
            np.testing.assert_array_equal(lower(x, k), np.tril(x, k))
            np.testing.assert_array_equal(upper(x, k), np.triu(x, k))
        assert torch.equal(
            upper(torch.from_numpy(x), k), torch.triu(torch.from_numpy(x), k)
        )


def test_half_diagonal_changes_only_the_diagonal():
    assert half_diagonal(np.full((2, 2), 4.0)).tolist() == [[2.0, 4.0], [4.0, 2.0]]
