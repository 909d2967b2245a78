"""Windows of `torch.signal`."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.signal.windows.bartlett(0, sym=True)",
    "torch.signal.windows.bartlett(1, sym=False)",
    "torch.signal.windows.bartlett(6, sym=True)",
    "torch.signal.windows.bartlett(5, sym=False)",
    "torch.signal.windows.blackman(0, sym=True)",
    "torch.signal.windows.blackman(1, sym=False)",
    "torch.signal.windows.blackman(6, sym=True)",
    "torch.signal.windows.blackman(5, sym=False)",
    "torch.signal.windows.cosine(0, sym=True)",
    "torch.signal.windows.cosine(1, sym=False)",
    "torch.signal.windows.cosine(6, sym=True)",
    "torch.signal.windows.cosine(5, sym=False)",
    "torch.signal.windows.exponential(0, sym=True, tau=2.8)",
    "torch.signal.windows.exponential(1, sym=False, tau=2.8)",
    "torch.signal.windows.exponential(1, sym=False, center=1.0)",
    "torch.signal.windows.exponential(6, sym=True, tau=2.8)",
    "torch.signal.windows.exponential(5, sym=False, tau=2.8)",
    "torch.signal.windows.gaussian(0, sym=True, std=1.9)",
    "torch.signal.windows.gaussian(1, sym=False, std=1.9)",
    "torch.signal.windows.gaussian(6, sym=True, std=1.9)",
    "torch.signal.windows.gaussian(5, sym=False, std=1.9)",
    "torch.signal.windows.general_cosine(0, sym=True, a=[0.5, 0.3, 0.2])",
    "torch.signal.windows.general_cosine(1, sym=False, a=[0.5, 0.3, 0.2])",
    "torch.signal.windows.general_cosine(6, sym=True, a=[0.5, 0.3, 0.2])",
    "torch.signal.windows.general_cosine(5, sym=False, a=[0.5, 0.3, 0.2])",
    "torch.signal.windows.general_hamming(0, sym=True, alpha=0.6)",
    "torch.signal.windows.general_hamming(1, sym=False, alpha=0.6)",
    "torch.signal.windows.general_hamming(6, sym=True, alpha=0.6)",
    "torch.signal.windows.general_hamming(5, sym=False, alpha=0.6)",
    "torch.signal.windows.hamming(0, sym=True)",
    "torch.signal.windows.hamming(1, sym=False)",
    "torch.signal.windows.hamming(6, sym=True)",
    "torch.signal.windows.hamming(5, sym=False)",
    "torch.signal.windows.hann(0, sym=True)",
    "torch.signal.windows.hann(1, sym=False)",
    "torch.signal.windows.hann(6, sym=True)",
    "torch.signal.windows.hann(5, sym=False)",
    "torch.signal.windows.kaiser(0, sym=True, beta=5.0)",
    "torch.signal.windows.kaiser(1, sym=False, beta=5.0)",
    "torch.signal.windows.kaiser(6, sym=True, beta=5.0)",
    "torch.signal.windows.kaiser(5, sym=False, beta=5.0)",
    "torch.signal.windows.nuttall(0, sym=True)",
    "torch.signal.windows.nuttall(1, sym=False)",
    "torch.signal.windows.nuttall(6, sym=True)",
    "torch.signal.windows.nuttall(5, sym=False)",
    "torch.signal.windows.exponential(5, center=1, sym=False)",
    "torch.signal.windows.hann(4, dtype=torch.float64)",
    "torch.signal.windows.general_cosine(4, a=range(1, 3))",
]

REFUSED = [
    "torch.signal.windows.bartlett(-1)",
    "torch.signal.windows.hamming(-1)",
    "torch.signal.windows.cosine(3, dtype=torch.int64)",
    "torch.signal.windows.gaussian(3, std=-1)",
    "torch.signal.windows.kaiser(3, beta=-1)",
    "torch.signal.windows.exponential(3, tau=-1)",
    "torch.signal.windows.exponential(3, center=1)",
    "torch.signal.windows.general_cosine(3, a=None)",
    "torch.signal.windows.general_cosine(3, a=[])",
    "torch.signal.windows.hann(3, dtype='x')",
    "torch.signal.windows.cosine(3, dtype=torch.float16)",
]


@pytest.mark.parametrize("case", CASES)
def test_windows_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_windows_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
