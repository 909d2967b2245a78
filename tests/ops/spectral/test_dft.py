"""Transforms and their adjoints."""

import pytest

from tests.ops.cases import alike, derivatives

CASES = [
    "torch.fft.fft(z)",
    'torch.fft.ifft(z, norm="ortho")',
    "torch.fft.rfft(a)",
    "torch.fft.irfft(z, 3)",
    'torch.fft.fftn(z, norm="forward")',
]

SMOOTH = [
    "torch.fft.fft(z)",
    'torch.fft.ifft(z, norm="ortho")',
    "torch.fft.rfft(a)",
    "torch.fft.irfft(z, 3)",
    "torch.fft.irfft(z, 2)",
    "torch.fft.rfftn(a)",
]


@pytest.mark.parametrize("case", CASES)
def test_transforms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_transforms_derivatives_equal_differences(case):
    derivatives(case)
