"""`select` and `narrow`."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.select(0, 1)",
    "torch.select(seq, -1, -1)",
    "a.narrow(1, 1, 2)",
    "torch.narrow(seq, 0, 0, 1)",
    "a.narrow(1, -2, 1)",
    "a.narrow(1, torch.tensor(1), 2)",
    "a.narrow(0, 0, 0)",
    "(singles.select(1, 2).storage_offset(), singles.narrow(1, 1, 2).storage_offset())",
    "y = singles.clone(); y.select(1, 0).zero_(); y",
    "y = singles.clone(); y.narrow(1, 1, 2).fill_(4); y",
]

SMOOTH = [
    "a.select(0, 1) ** 2",
    "seq.narrow(1, 1, 2) ** 2",
]

REFUSED = [
    "a.narrow(0, True, 0)",
    "a.select(0, 2)",
    "a.select(2, 0)",
    "scalar.select(0, 0)",
    "a.narrow(0, 1, 2)",
    "a.narrow(0, 5, 1)",
    "a.narrow(0, 0, -1)",
    "a.narrow(0, row, 1)",
    "scalar.narrow(0, 0, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_slices_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_slices_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_slices_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize(
    ("part", "offset"),
    [(lambda x: x[1:], 4), (lambda x: x[..., 4:], 4), (lambda x: x.split(1)[0][1:], 4),
     (lambda x: x[0][4:], 4), (lambda x: x[:, 2:2], 2)],
)  # fmt: skip
def test_parts_without_elements_grow_where_they_are(part, offset):
    x = edutorch.arange(4.0).reshape(1, 4)
    nothing = part(x)
    assert nothing.storage_offset() == offset
    nothing.resize_(2).fill_(9)
    assert nothing.storage_offset() == offset
    assert x.flatten().tolist() == ([0, 1, 9, 9] if offset == 2 else [0, 1, 2, 3])
