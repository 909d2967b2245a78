"""Numbers at equal distances."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.arange(3, dtype=int)",
    "torch.arange(3, dtype=float)",
    "torch.arange(0, 2.5, dtype=torch.int32)",
    "torch.arange(-1, 2, 2, dtype=torch.uint8)",
    "torch.arange(2.1, -2.9, -1.0, dtype=torch.uint8)",
    "torch.arange(6, 3.6, -0.8, dtype=torch.int32)",
    "torch.linspace(0, -2, 4, dtype=torch.uint8)",
    "torch.linspace(4, -6.6, 9, dtype=torch.bfloat16)",
    "torch.linspace(0, 8.1, 4, dtype=torch.float16)",
    "torch.linspace(2, 3, 1, dtype=torch.float16)",
    "torch.range(1, 3, 0.5)",
    "torch.range(4, 1, -2, dtype=torch.int64)",
    "torch.arange(5)",
    "torch.arange(1, 5, 2)",
    "torch.arange(5.0)",
    "torch.arange(0, 1, 0.1)",
    "torch.arange(5, 0, -2)",
    "torch.arange(1, 2.5, 0.5)",
    "torch.arange(0, 5, dtype=torch.float64)",
    "torch.arange(-3, 3, dtype=torch.int16)",
    "torch.arange(3, 3)",
    "torch.arange(end=4)",
    "torch.arange(start=1, end=4)",
    "torch.arange(2.5, dtype=torch.int64)",
    "torch.arange(torch.tensor(3))",
    "torch.arange(end=3)",
    "torch.arange(3.0, requires_grad=True)",
    "torch.arange(3, out=torch.empty(3))",
    "torch.arange(1000).sum()",
    "torch.arange(0, 3, 0.001).sum()",
    "torch.linspace(0, 1, 7)",
    "torch.linspace(4.3, -3, 50, dtype=torch.int64)",
    "torch.linspace(-2, 3, 4, dtype=torch.float64)",
    "torch.linspace(0, 10, 5, dtype=torch.int64)",
    "torch.linspace(10, 0, 4, dtype=torch.int32)",
    "torch.linspace(0, 1, 1)",
    "torch.linspace(0, 1, 0)",
    "torch.linspace(0, 1, 1, dtype=torch.bool)",
    'torch.linspace(1, float("inf"), 1, dtype=torch.int32)',
    'torch.logspace(float("nan"), 1, 0, dtype=torch.uint8)',
    "torch.linspace(1j, 2, 3)",
    "torch.linspace(torch.tensor(0.0), torch.tensor(1.0), 3)",
    "torch.linspace(start=0, end=1, steps=2)",
    "(torch.linspace(-0.7, 0.5, 11, dtype=torch.float64)[5] * 2**60).item()",
    "(torch.linspace(-0.7, 0.5j, 101, dtype=torch.complex128)[58].real * 2**60).item()",
    "torch.logspace(0, 2, 4)",
    "torch.logspace(0, 3, 4, base=2)",
    "torch.logspace(0, 3, 4, base=2, dtype=torch.int64)",
    "torch.logspace(0, 1.2, 2, 5.0, dtype=torch.int64)",
    "torch.logspace(-2, 2, 5, dtype=torch.float64)",
]

REFUSED = [
    "torch.arange(2**63 - 1, 2**63 + 2)",
    "torch.arange(3, dtype=bool)",
    "torch.arange(end=5, step=2)",
    "torch.arange()",
    "torch.arange(3, dtype='a')",
    "torch.arange(0.1, 1.1, dtype=-9)",
    "torch.arange(0, 5, 0)",
    "torch.arange(5, 0)",
    'torch.arange(0, float("inf"))',
    'torch.arange(0, float("nan"))',
    "torch.arange(0.0, 1.0, 0.3, dtype=torch.int64)",
    "torch.linspace(0, 1, -1)",
    "torch.linspace(1j, 1, -1, dtype=torch.bool)",
    'torch.linspace(float("nan"), 1, 3, dtype=torch.int32)',
    "torch.logspace(3, 1, 1, dtype=torch.int8)",
    "torch.logspace(0, 1, -1)",
]


@pytest.mark.parametrize("case", CASES)
def test_ranges_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_ranges_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("end", [float("nan"), float("inf")])
def test_one_step_is_the_start_whatever_the_end(end):
    assert torch.linspace(-2, end, 1).tolist() == [-2]
