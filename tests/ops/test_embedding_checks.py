"""Operands of embeddings are refused in PyTorch's words."""

from __future__ import annotations

import pytest

import edutorch
from edutorch.ops.embedding_checks import check_lookup, check_renormalised

ROWS = edutorch.zeros(3, 2)


def test_indices_of_floats_raise_with_the_function():
    with pytest.raises(RuntimeError, match=r"but got torch.FloatTensor .* some_name\)"):
        check_lookup(edutorch.zeros(2), ROWS, "some_name")


def test_table_of_one_dimension_raises():
    indices = edutorch.tensor([0])
    with pytest.raises(RuntimeError, match="'weight' must be 2-D"):
        check_lookup(indices, edutorch.zeros(3), "embedding")
    with pytest.raises(RuntimeError, match=r"2-dimensional .* got 1-dimensional"):
        check_renormalised(indices, edutorch.zeros(3))


def test_indices_are_named_as_the_second_argument_where_rows_are_shortened():
    with pytest.raises(RuntimeError, match=r"argument #2 'indices'.*embedding_renorm_"):
        check_renormalised(edutorch.zeros(2), ROWS)
