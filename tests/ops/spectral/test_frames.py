"""Frequencies and shifts."""

import pytest

from tests.ops.cases import alike

CASES = [
    "torch.fft.fftfreq(5)",
    "torch.fft.fftfreq(4, 0.5, dtype=torch.float64)",
    "torch.fft.rfftfreq(5, 2.0)",
    "torch.fft.fftshift(k)",
    "torch.fft.fftshift(k, 1)",
    "torch.fft.ifftshift(k)",
    "torch.fft.ifftshift(k, dim=(0, 1))",
]


@pytest.mark.parametrize("case", CASES)
def test_frequencies_and_shifts_equal_pytorch(case):
    alike(__file__, case)
