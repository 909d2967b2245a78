"""One tensor cut into several views."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.split(torch.tensor(2), 1)",
    "a.unbind()",
    "torch.unbind(seq, 1)",
    "a.unbind(-1)",
    "torch.empty(0, 2).unbind(0)",
    "seq.split(3, 1)",
    "seq.split([1, 3], 1)",
    "torch.split(a, 1)",
    "a.split(5)",
    "torch.split_with_sizes(seq, (2, 3), 2)",
    "seq.chunk(3, 2)",
    "torch.chunk(a, 2)",
    "a.chunk(5, 1)",
    "torch.empty(0, 2).split(2)",
    "torch.empty(0, 2).chunk(3)",
    "torch.unsafe_split(a, 1)",
    "torch.unsafe_chunk(a, 2)",
    "[t.storage_offset() for t in singles.split(1, 1)]",
    "y = singles.clone(); y.split(1)[1].zero_(); y",
    "y = singles.clone(); y.unbind(1)[2].fill_(7); y",
]

SMOOTH = [
    "a.unbind(1)",
    "seq.split(3, 1)",
    "torch.stack(a.unbind(0)) ** 2",
]

REFUSED = [
    "a.split(np.int64(2))",
    "torch.split(a, np.array(2))",
    "scalar.unsafe_chunk(2)",
    "a.split([1, 1], -1)",
    "scalar.unbind()",
    "a.unbind(2)",
    "a.split(0)",
    "a.split(-1)",
    "a.split([1, 2])",
    "a.split([3, -1])",
    "scalar.split(1)",
    "a.chunk(0)",
    "scalar.chunk(1)",
    "a[:0].chunk(2**60)",
    "a[:0].unsafe_chunk(2**62)",
    "a[:0].chunk(2**50)",
    "y = a.clone(); y.unbind()[0].mul_(2)",
    "y = a.clone(); y.split(1)[0].mul_(2)",
    "y = a.clone(); y.chunk(2)[1].zero_()",
    "y = a.clone(); c, d = y.unbind(); y.mul_(2); c + d",
]


@pytest.mark.parametrize("case", CASES)
def test_parts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_parts_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_parts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
