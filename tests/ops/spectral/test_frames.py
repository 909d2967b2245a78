"""Frequencies, shifts, and transforms of short frames."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.fft.fftfreq(5)",
    "torch.fft.fftfreq(4, 0.5, dtype=torch.float64)",
    "torch.fft.rfftfreq(5, 2.0)",
    "torch.fft.fftshift(k)",
    "torch.fft.fftshift(k, 1)",
    "torch.fft.ifftshift(k)",
    "torch.fft.ifftshift(k, dim=(0, 1))",
]
FRAMES = [
    "torch.stft(a.reshape(-1), 4, return_complex=True)",
    "torch.stft(a.reshape(-1).repeat(2, 2), 4, 2, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, 1, window=p.reshape(-1)[:4], return_complex=True)",
    "torch.stft(a.reshape(-1), 4, 1, 3, center=False, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, onesided=False, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, normalized=True, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, pad_mode='constant', return_complex=True)",
]
REFUSED = [
    "torch.stft(f.reshape(-1), 4)",
]


@pytest.mark.parametrize("case", CASES)
def test_frequencies_and_shifts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", FRAMES)
def test_frames_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_frames_derivatives_equal_differences():
    derivatives(FRAMES[0])


@pytest.mark.parametrize("case", REFUSED)
def test_frames_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
