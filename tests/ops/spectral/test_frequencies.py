"""Frequencies and shifts."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.fft.fftfreq(5)",
    "torch.fft.fftfreq(4, 0.5, dtype=torch.float64)",
    "torch.fft.rfftfreq(5, 2.0)",
    "torch.fft.fftshift(ints)",
    "torch.fft.fftshift(ints, 1)",
    "torch.fft.ifftshift(ints)",
    "torch.fft.ifftshift(ints, dim=(0, 1))",
    "torch.fft.fftfreq(0)",
    "torch.fft.rfftfreq(0)",
    "torch.fft.fftfreq(4, d=0.0)",
    "o = torch.empty(0, dtype=torch.float64); torch.fft.fftfreq(4, out=o); o",
    "o = torch.empty(3); torch.fft.rfftfreq(4, out=o) is o",
    "torch.fft.rfftfreq(-1)",
    "torch.fft.rfftfreq(-2)",
    "torch.fft.fftfreq(torch.tensor(4))",
    "torch.fft.fftfreq(4, pin_memory=False)",
]

REFUSED = [
    "torch.fft.fftfreq(-1)",
    "torch.fft.fftfreq(4.0)",
    "torch.fft.rfftfreq('x')",
    "torch.fft.fftfreq(4, dtype=torch.int64)",
    "torch.fft.fftfreq(4, dtype=torch.complex64)",
    "torch.fft.fftshift(None)",
    "torch.fft.ifftshift(ints, dim=2)",
    "torch.fft.rfftfreq(-4)",
    "torch.fft.fftfreq(torch.tensor([4]))",
    "torch.fft.fftfreq(4, dtype=torch.float64, out=torch.zeros(4))",
    "torch.fft.fftfreq(4, 1j)",
]


@pytest.mark.parametrize("case", CASES)
def test_frequencies_and_shifts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_frequencies_and_shifts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
