"""Dimensions in another order."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.swapaxes(a, axis0=0, axis1=1)",
    "a.swapaxes(axis0=0, axis1=1)",
    "torch.movedim(scalar, 0, -1)",
    "a.transpose(0, 1)",
    "torch.transpose(seq, -1, 0)",
    "torch.swapaxes(seq, 0, 1)",
    "seq.swapdims(0, 2)",
    "scalar.transpose(0, 0)",
    "a.t()",
    "torch.t(row)",
    "scalar.t()",
    "seq.permute(2, 0, 1)",
    "seq.permute((2, 0, 1))",
    "torch.permute(seq, dims=(0, -1, 1))",
    "a.T",
    "seq.mT",
    "a.H",
    "a.adjoint()",
    "scalar.T",
    "seq.movedim(0, 2)",
    "torch.movedim(seq, (0, 1), (2, 0))",
    "seq.movedim(0, torch.tensor(1))",
    "torch.moveaxis(seq, -1, 0)",
    "singles.permute(1, 0).stride()",
    "seq.permute(2, 0, 1).is_contiguous()",
    "singles.t().data_ptr() == singles.data_ptr()",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "complexes.mH",
    "complexes.H",
    "torch.adjoint(complexes)",
]

SMOOTH = [
    "a.transpose(0, 1) ** 2",
    "a.t() ** 2",
    "seq.permute(2, 0, 1) ** 2",
    "seq.movedim(0, 2) ** 2",
    "torch.view_as_real(complexes.H.resolve_conj()) ** 2",
]

REFUSED = [
    "torch.permute(torch.ones(3), 0)",
    "torch.permute(torch.ones(1, 2, 3), 2)",
    "a.permute()",
    "scalar.permute()",
    "a.transpose(0, 2)",
    "seq.t()",
    "seq.permute(0, 1)",
    "seq.permute(0, 0, 1)",
    "seq.permute(0, 1, 3)",
    "row.mT",
    "row.mH",
    "row.H",
    "seq.H",
    "row.adjoint()",
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


@pytest.mark.parametrize("name", ["T", "mT", "H", "mH"])
def test_transposing_a_number_warns(name):
    scalar = torch.tensor(1.0)
    with pytest.warns(UserWarning, match=f"^Tensor.{name} is deprecated on 0-D"):
        assert getattr(scalar, name).item() == 1.0
