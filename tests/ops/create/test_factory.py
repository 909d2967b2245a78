"""Arguments that all creation functions share."""

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "torch.zeros(2, 0, 3).shape",
    "torch.ones(ints.shape).shape",
    "torch.zeros(np.int64(2), np.int32(3)).shape",
]

REFUSED = [
    "torch.zeros(range(2))",
    "torch.zeros(size=2)",
    "torch.rand(size=torch.tensor(2))",
    "singles.new_ones(size=2)",
    "torch.ones(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_sizes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_sizes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_made_in_inference_mode_are_inference_tensors():
    with edutorch.inference_mode():
        assert edutorch.zeros(1).is_inference()
    assert not edutorch.zeros(1).is_inference()
