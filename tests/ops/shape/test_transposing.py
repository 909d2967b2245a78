"""Dimensions in another order."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.movedim(s, 0, -1)",
    "a.transpose(0, 1)",
    "torch.transpose(seq, -1, 0)",
    "torch.swapaxes(seq, 0, 1)",
    "seq.swapdims(0, 2)",
    "s.transpose(0, 0)",
    "a.t()",
    "torch.t(r)",
    "s.t()",
    "seq.permute(2, 0, 1)",
    "seq.permute((2, 0, 1))",
    "torch.permute(seq, dims=(0, -1, 1))",
    "a.T",
    "seq.mT",
    "a.H",
    "a.adjoint()",
    "s.T",
    "seq.movedim(0, 2)",
    "torch.movedim(seq, (0, 1), (2, 0))",
    "torch.moveaxis(seq, -1, 0)",
    "f.permute(1, 0).stride()",
    "seq.permute(2, 0, 1).is_contiguous()",
    "f.t().data_ptr() == f.data_ptr()",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "z.mH",
    "z.H",
    "torch.adjoint(z)",
]

SMOOTH = [
    "a.transpose(0, 1) ** 2",
    "a.t() ** 2",
    "seq.permute(2, 0, 1) ** 2",
    "seq.movedim(0, 2) ** 2",
    "torch.view_as_real(z.H.resolve_conj()) ** 2",
]

REFUSED = [
    "a.permute()",
    "s.permute()",
    "a.transpose(0, 2)",
    "seq.t()",
    "seq.permute(0, 1)",
    "seq.permute(0, 0, 1)",
    "seq.permute(0, 1, 3)",
    "r.mT",
    "r.mH",
    "r.H",
    "seq.H",
    "r.adjoint()",
    "seq.movedim((0, 1), (2,))",
    "seq.movedim((0, 0), (0, 1))",
    "seq.movedim((0, 1), (0, 0))",
    "seq.movedim(0, (1,))",
]


@pytest.mark.parametrize("case", CASES)
def test_axes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_axes_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_axes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_axes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
