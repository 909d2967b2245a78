"""`tensor_split` and its kin."""

import numpy as np
import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "seq.tensor_split(tensor_indices_or_sections=torch.tensor(2))",
    "seq.tensor_split(3, 2)",
    "torch.tensor_split(seq, (1, 4), 2)",
    "seq.tensor_split(torch.tensor([1, 3]), 1)",
    "seq.tensor_split((3, 1), dim=1)",
    "seq.tensor_split((-1,), 2)",
    "row.tensor_split(2)",
    "a.hsplit(3)",
    "torch.hsplit(row, (1,))",
    "torch.vsplit(a, 2)",
    "seq.dsplit(5)",
]

SMOOTH = [
    "torch.cat([t ** 2 for t in seq.tensor_split(3, 2)], 2)",
]

REFUSED = [
    "torch.hsplit(scalar, 2.0)",
    "torch.vsplit(row, 'a')",
    "torch.dsplit(row, 2.0)",
    "a.tensor_split(0)",
    "scalar.tensor_split(2)",
    "a.hsplit(2)",
    "scalar.hsplit(1)",
    "row.vsplit(1)",
    "a.dsplit(1)",
    "a.vsplit(3)",
]


@pytest.mark.parametrize("case", CASES)
def test_sections_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_sections_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_sections_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_sections_may_be_numbers_of_numpy():
    x = edutorch.arange(6).reshape(3, 2, 1)
    split = edutorch.hsplit(x, np.int64(2)) + edutorch.vsplit(x, np.int32(3))
    assert [part.tolist() for part in split[1:3]] == [
        [[[1]], [[3]], [[5]]],
        [[[0], [1]]],
    ]
