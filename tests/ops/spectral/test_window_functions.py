"""Windows."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.hann_window(6)",
    "torch.hann_window(7, False)",
    "torch.hann_window(1)",
    "torch.hann_window(0)",
    "torch.hann_window(5, dtype=torch.float64)",
    "torch.hamming_window(6)",
    "torch.hamming_window(7, False)",
    "torch.hamming_window(1)",
    "torch.hamming_window(0)",
    "torch.hamming_window(5, dtype=torch.float64)",
    "torch.blackman_window(6)",
    "torch.blackman_window(7, False)",
    "torch.blackman_window(1)",
    "torch.blackman_window(0)",
    "torch.blackman_window(5, dtype=torch.float64)",
    "torch.bartlett_window(6)",
    "torch.bartlett_window(7, False)",
    "torch.bartlett_window(1)",
    "torch.bartlett_window(0)",
    "torch.bartlett_window(5, dtype=torch.float64)",
    "torch.kaiser_window(6)",
    "torch.kaiser_window(7, False)",
    "torch.kaiser_window(1)",
    "torch.kaiser_window(0)",
    "torch.kaiser_window(5, dtype=torch.float64)",
    "torch.hamming_window(5, True, 0.5, 0.3)",
    "torch.kaiser_window(6, False, 5.0)",
    "torch.hann_window(5, dtype=torch.float16).float()",
]

REFUSED = [
    "torch.hann_window(-1)",
    "torch.hann_window(5, dtype=torch.int64)",
    "torch.kaiser_window(-6)",
    "torch.hann_window(5.5)",
    "torch.hann_window(5, dtype=torch.complex64)",
    "torch.kaiser_window(5, dtype='x')",
    "torch.bartlett_window(5, 0.3)",
]


@pytest.mark.parametrize("case", CASES)
def test_windows_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_windows_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
