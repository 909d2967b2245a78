"""Interpolation, and sums of products in 16 bits, equal PyTorch's bit by bit."""

import numpy as np
import pytest

import edutorch
from tests.oracle import torch

CASES = [
    "x.lerp(y, 0.1)",
    "x.lerp(y, 0.95)",
    "x.lerp(y, 0.5)",
    "x.lerp(y, -2.0)",
    "x.lerp(y, 2)",
    "x.lerp(y, z)",
    "x.addcmul(y, z)",
    "x.addcmul(y, z, value=-1)",
    "x.addcmul(y, z, value=0.001)",
    "x.addcdiv(y, z, value=-0.01)",
]


def computed(library, case, dtype):
    rng = np.random.default_rng(5)
    tensors = {
        name: library.tensor(rng.standard_normal(4096).tolist()).to(
            getattr(library, dtype)
        )
        for name in "xyz"
    }
    result = eval(case, tensors)
    assert result.dtype is getattr(library, dtype)
    return result.to(library.float64).numpy()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sums_of_products_in_16_bits_are_rounded_as_by_pytorch(case, dtype):
    ours, theirs = (computed(library, case, dtype) for library in (edutorch, torch))
    np.testing.assert_array_equal(ours, theirs)


def test_weight_is_rounded_before_its_complement_is_taken():
    x, y = edutorch.zeros(1), edutorch.full((1,), 2.0**20)
    expected = torch.zeros(1).lerp(torch.full((1,), 2.0**20), 0.95).item()
    assert x.lerp(y, 0.95).item() == expected


def test_power_of_one_element_is_rounded_correctly():
    x = np.float32(1) + np.arange(1, 200, dtype=np.float32) * np.float32(2e-6)
    ours = [(edutorch.tensor(v) ** 0.75).item() for v in x]
    assert ours == (x.astype(float) ** 0.75).astype(np.float32).tolist()


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_interpolated_numbers_lie_in_memory_as_the_first_operand_that_decides(device):
    row, square = (edutorch.ones(*s, device=device) for s in ((3,), (3, 3)))
    turned = edutorch.ones(2, 3, 3, device=device).mT
    assert edutorch.lerp(row, turned, square).stride() == (9, 1, 3)
    assert edutorch.lerp(square, turned, row).stride() == (9, 3, 1)
    assert edutorch.lerp(square, turned, 0.3).stride() == (9, 3, 1)
