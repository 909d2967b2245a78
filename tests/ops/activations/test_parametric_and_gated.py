"""Rectifiers with learned or random slopes, and gated units."""

import pytest

import edutorch as torch
import edutorch.nn.functional as F
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.prelu(a, torch.tensor([0.25], dtype=torch.float64))",
    "F.prelu(a, row)",
    "torch.prelu(squares, row)",
    "F.prelu(row, scalar.reshape(1))",
    "torch.manual_seed(3); F.rrelu(a, 0.1, 0.4, training=True)",
    "torch.manual_seed(3); F.rrelu(singles, training=True)",
    "F.rrelu(a)",
    "torch.rrelu(a, 0.2, 0.3)",
    "F.glu(squares[:, :2], 1)",
    "F.glu(a, 0)",
    "F.rrelu(a.bfloat16())",
]

SMOOTH = [
    "F.prelu(a, row)",
    "F.glu(a, 0)",
    "F.rrelu(a)",
]

REFUSED = [
    "F.prelu(a, torch.ones(2, dtype=torch.float64))",
    "F.glu(a)",
    "F.prelu(a, a)",
    "F.glu(scalar)",
    "F.rrelu(a, 2.0, 1.0)",
    "F.rrelu(a, 0.0, float('inf'))",
    "F.rrelu(None)",
    "F.glu(None)",
    "F.prelu(singles, row)",
]


@pytest.mark.parametrize("case", CASES)
def test_gates_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_gates_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_gates_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


COMPOSED = [
    "torch.manual_seed(1); y = a * 1; F.rrelu(y, training=True, inplace=True); y",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_in_place_gates_equal_pytorch_with_their_node(case):
    alike(__file__, case)


def test_rrelu_of_half_precision_is_refused_as_by_pytorch():
    assert F.rrelu(torch.ones(2).bfloat16(), training=True).tolist() == [1, 1]
    with pytest.raises(NotImplementedError, match="rrelu_with_noise_out_cpu"):
        F.rrelu(torch.ones(2).half(), training=True)
