"""Transforms of short frames, and back."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

FRAMES = [
    "torch.stft(a.reshape(-1), 4, window=torch.ones(4).double(), return_complex=True)",
    "torch.stft(a.reshape(-1), 4, return_complex=True)",
    "torch.stft(a.reshape(-1).repeat(2, 2), 4, 2, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, 1, window=positive.reshape(-1)[:4], return_complex=True)",
    "torch.stft(a.reshape(-1), 4, 1, 3, center=False, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, onesided=False, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, normalized=True, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, pad_mode='constant', return_complex=True)",
    "torch.stft(a.reshape(-1), 4, 1, 2, center=False, align_to_window=True, return_complex=True)",
    "torch.stft(a.reshape(-1), 4, return_complex=False)",
    "torch.stft(complexes.reshape(-1), 2, 1)",
]
BACK = [
    "x = a.reshape(-1); torch.istft(torch.stft(x, 4, return_complex=True), 4)",
    "x = a.reshape(-1); torch.istft(torch.stft(x, 4, 1, return_complex=True), 4, 1, length=5)",
    "x = a.repeat(2, 2); torch.istft(torch.stft(x, 4, 2, 3, onesided=False, return_complex=True), 4, 2, 3)",
    "x = a.reshape(-1); torch.istft(torch.stft(x, 4, normalized=True, return_complex=True), 4, normalized=True)",
    "w = positive.reshape(-1)[:4].detach(); x = a.reshape(-1); torch.istft(torch.stft(x, 4, 2, window=w, return_complex=True), 4, 2, window=w)",
    "x = complexes.reshape(-1); torch.istft(torch.stft(x, 2, 1), 2, 1, onesided=False, return_complex=True)",
    "torch.istft(torch.ones(3, 5, dtype=torch.complex64), 4, 2, center=False, length=20)",
]
REFUSED = [
    "torch.stft(singles.reshape(-1), 4)",
    "torch.stft(singles.reshape(-1), 9, center=False, return_complex=True)",
    "torch.stft(singles.reshape(-1), 4, window=singles[0], return_complex=True)",
    "torch.stft(singles.reshape(-1), 4, -1, return_complex=True)",
    "torch.stft(singles.reshape(-1), 4, win_length=6, return_complex=True)",
    "torch.stft(complexes.reshape(-1), 2, 1, onesided=True)",
    "torch.stft(complexes.reshape(-1), 2)",
    "torch.stft(singles.reshape(-1), 4, align_to_window=True, return_complex=True)",
    "torch.stft(ints.reshape(-1), 4, center=False, return_complex=True)",
    "torch.istft(singles, 4)",
    "torch.istft(complexes, 2, 3)",
    "torch.istft(complexes, 2, 0)",
    "torch.istft(complexes, 2, win_length=4)",
    "torch.istft(complexes, 2, window=singles[0])",
    "torch.istft(complexes, 4)",
    "torch.istft(complexes, 3, onesided=False)",
    "torch.istft(complexes[0], 2)",
    "torch.istft(complexes[:, :0], 2)",
    "torch.istft(complexes[None, None], 2)",
    "torch.istft(torch.ones(3, 5, dtype=torch.complex64), 4, window=torch.zeros(4))",
    "torch.stft(singles.reshape(-1), 4, window='x', return_complex=True)",
    "torch.istft(None, 4)",
]


@pytest.mark.parametrize("case", FRAMES + BACK)
def test_frames_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize(
    "case", [FRAMES[0], "torch.istft(complexes, 2, 1, window=torch.ones(2).double())"]
)
def test_frames_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_frames_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_transforms_without_a_window_warn():
    signal = torch.ones(8)
    with pytest.warns(UserWarning, match="^A window was not provided.* leakage"):
        frames = torch.stft(signal, 4, return_complex=True)
    with pytest.warns(UserWarning, match="^A window was not provided.* lossless"):
        torch.istft(frames, 4)


def test_pairs_of_real_numbers_warn():
    with pytest.warns(UserWarning, match="^stft with return_complex=False is deprec"):
        torch.stft(torch.ones(8), 4, window=torch.ones(4), return_complex=False)
