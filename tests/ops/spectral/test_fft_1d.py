"""Fourier transforms along one dimension."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.fft.fft(singles)",
    "torch.fft.ifft(ints)",
    "torch.fft.rfft(singles, dim=0)",
    "torch.fft.fft(singles, dim=0).stride()",
    "torch.fft.fft(singles.t()).stride()",
    "torch.fft.irfft(singles, dim=0).stride()",
    "torch.fft.hfft(complexes.detach().expand(3, -1, -1), dim=1).stride()",
    "torch.fft.rfft(squares, dim=1).stride()",
]

SMOOTH = [
    "torch.fft.fft(complexes, 5)",
    "torch.fft.rfft(a, 2)",
    "torch.fft.irfft(complexes, 5, 0)",
    "torch.fft.hfft(complexes)",
    "torch.fft.ihfft(a)",
]

REFUSED = [
    "torch.fft.fft(a, 0)",
    "torch.fft.rfft(complexes)",
    'torch.fft.fft(a, norm="x")',
    "torch.fft.irfft(singles[:, :1])",
    "torch.fft.fft(a, dim=2)",
    "torch.fft.fft(None)",
    "torch.fft.irfft('x')",
    "torch.fft.hfft([1.0])",
    "torch.fft.fft(a, n=2.0)",
    "torch.fft.fft(a, dim=(0,))",
    "torch.fft.fft(a, norm=3)",
    "torch.fft.fft(a.half())",
    "torch.fft.rfft(a.bfloat16())",
    "torch.fft.irfft(a, -1)",
    "torch.fft.fft(torch.ones(0))",
    "torch.fft.irfft(singles, out=torch.empty(0, dtype=torch.complex64))",
    "torch.fft.hfft(singles, out=torch.empty(0, dtype=torch.complex64))",
    "torch.fft.ihfft(torch.zeros(0), norm='x')",
    "torch.fft.fft(row, None, -1, 3)",
]


@pytest.mark.parametrize("case", CASES)
def test_transforms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_transforms_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_transforms_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


RESIZED = [
    f"torch.fft.{name}({x}, {n}, {dim}, {norm!r})"
    for name, x in [("fft", "complexes"), ("ifft", "a"), ("rfft", "a"), ("irfft", "complexes"),
                    ("hfft", "complexes"), ("ihfft", "a")]
    for n, dim, norm in [(None, -1, None), (5, 0, "ortho"), (2, 1, "forward")]
]  # fmt: skip


@pytest.mark.parametrize("case", RESIZED)
def test_transforms_of_other_sizes_equal_pytorch(case):
    alike(__file__, case)
