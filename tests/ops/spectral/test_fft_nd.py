"""Fourier transforms over several dimensions."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.fft.fftn(singles)",
    "torch.fft.fft2(singles)",
    "torch.fft.rfft2(singles)",
    "torch.fft.fftn(squares.detach(), dim=(0, 2)).stride()",
    "torch.fft.rfftn(squares.detach(), dim=(2, 0)).stride()",
    "torch.fft.irfftn(squares.detach(), dim=(1, 0)).stride()",
    "torch.fft.irfftn(squares.detach().transpose(0, 1), dim=(2, 1)).stride()",
    "torch.fft.ihfftn(squares.detach(), dim=(0, 2)).stride()",
    "torch.fft.ihfftn(squares, dim=(0, 2)).grad_fn.name()",
    "torch.fft.ihfftn(squares, dim=1).grad_fn.name()",
    "torch.fft.fftn(squares, dim=1).grad_fn.name()",
    "torch.fft.ifftn(squares, dim=1).grad_fn.name()",
    "torch.fft.hfft(row.detach().expand(2, 3).T[None]).stride()",
    "torch.fft.hfftn(seq, (2, 3), (2, 0))",
    "torch.autograd.grad(torch.fft.hfft2(seq).sum(), seq)[0].stride()",
    "torch.autograd.grad(torch.fft.hfftn(seq.mT, None, (0, 1)).sum(), seq)[0].stride()",
    "torch.fft.ihfft2(seq.detach(), (4, 6), (0, 1)).stride()",
    "x = complexes[:, 1]; torch.fft.fftn(x, dim=()).stride()",
]

SMOOTH = [
    "torch.fft.fft2(squares)",
    "torch.fft.irfft2(complexes)",
]

REFUSED = [
    "torch.fft.fftn(a, dim=(0, 0))",
    "torch.fft.fftn(a, s=(1, 2), dim=0)",
    "torch.fft.fftn(row, s=(1, 2))",
    "torch.fft.rfftn(complexes)",
    "torch.fft.fftn(None)",
    "torch.fft.rfft2(2)",
    "torch.fft.fft2(a, dim=None)",
    "torch.fft.ihfft2(squares, s=(2.0, 3))",
    "torch.fft.fftn(a, s=(0, 2))",
    "torch.fft.fftn(a, s=(-2, 2))",
    "torch.fft.ihfftn(a, dim=())",
    "torch.fft.hfftn(a, dim=())",
    "torch.fft.fft2(a, norm=1)",
    "torch.fft.fftn(a.half())",
    "torch.fft.irfftn(singles, out=torch.empty(0, dtype=torch.complex64))",
    "torch.fft.fft2(torch.zeros(0, 2).half(), None, (0, 1))",
    "torch.fft.fftn(seq, None, None, 3)",
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


OF_REALS = ["fftn", "ifftn", "rfftn", "ihfftn", "fft2", "ifft2", "rfft2", "ihfft2"]
OF_HALVES = ["irfftn", "hfftn", "irfft2", "hfft2"]
RESIZED = [
    f"torch.fft.{name}({'squares' if name in OF_REALS else 'complexes'}, {s}, norm={norm!r})"
    for name in OF_REALS + OF_HALVES
    for s, norm in [(None, None), ((2, 4), "ortho"), ((5, 3), "forward")]
]


@pytest.mark.parametrize("case", RESIZED)
def test_transforms_of_other_sizes_equal_pytorch(case):
    alike(__file__, case)
