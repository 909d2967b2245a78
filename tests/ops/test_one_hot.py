"""One-hot vectors."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "F.one_hot(cls)",
    "F.one_hot(clsmap, 5)",
    "F.one_hot(cls[0])",
    "F.one_hot(cls[:0], 3)",
]

REFUSED = [
    "F.one_hot(cls, 2)",
    "F.one_hot(cls - 1)",
    "F.one_hot(cls.int())",
    "F.one_hot(cls[:0])",
    "F.one_hot(None)",
    "F.one_hot(cls, 2.5)",
]


@pytest.mark.parametrize("case", CASES)
def test_one_hot_vectors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_one_hot_refuses_what_pytorch_refuses(case):
    refused(__file__, case)
