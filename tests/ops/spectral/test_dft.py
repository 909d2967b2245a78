"""Transforms and their adjoints."""

import pytest

from tests.ops.cases import alike, derivatives

CASES = [
    "torch.fft.fft(complexes)",
    'torch.fft.ifft(complexes, norm="ortho")',
    "torch.fft.rfft(a)",
    "torch.fft.irfft(complexes, 3)",
    'torch.fft.fftn(complexes, norm="forward")',
]

SMOOTH = [
    "torch.fft.fft(complexes)",
    'torch.fft.ifft(complexes, norm="ortho")',
    "torch.fft.rfft(a)",
    "torch.fft.irfft(complexes, 3)",
    "torch.fft.irfft(complexes, 2)",
    "torch.fft.rfftn(a)",
]


@pytest.mark.parametrize("case", CASES)
def test_transforms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_transforms_derivatives_equal_differences(case):
    derivatives(case)
