"""Shape changed in place."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "singles.clone().swapaxes_(axis0=0, axis1=1)",
    "singles.clone().resize_(size=(3, 2))",
    "y = complexes.detach().conj()[:1, :1]; y.as_strided_((2,), (1,), 2)",
    "y = singles.reshape(-1)[2:]; y.resize_(2)",
    "y = ints[1]; y.resize_(3)",
    "y = singles.clone(); w = y.expand(4, 2, 3); w.resize_(2, 3)",
    "singles.clone().set_(singles.untyped_storage())",
    "singles.clone().set_(singles.untyped_storage(), 1, (2,), (2,))",
    "singles.clone().set_(singles, 1, (2, 2))",
    "singles.untyped_storage().nbytes()",
    "np.sin(singles)",
    "singles.__reversed__()",
    "singles.clone().fill_diagonal_(5)",
    "torch.zeros(9, 2).fill_diagonal_(1, wrap=True)",
    "torch.zeros(3, 3, 3).fill_diagonal_(1)",
    "y = a * 1; y.fill_diagonal_(2); y * y",
    "y = singles.clone(); y.resize_(2); y",
    "y = singles.clone(); y.resize_(3, 2); y",
    "y = singles.clone(); y.resize_((3, 3)).shape",
    "y = singles.clone(); y.resize_as_(ints); y",
    "y = singles.clone(); torch.resize_as_(y, row); y",
    "y = singles.clone(); z = y[0]; y.resize_(2, 2); z",
    "y = singles.clone(); y.unsqueeze_(1).shape",
    "y = singles.clone(); y.t_(); (y, y.stride())",
    "y = singles.clone(); y.as_strided_((2,), (3,)); y",
    "torch.ones(2).set_(torch.zeros(3))",
    "y = (a * 1).t(); y.mul_(2); "
    "with torch.no_grad(): y.set_(y.untyped_storage(), 0, (1,), (1,)); "
    "torch.autograd.grad(y.sum(), a)",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "y = a.clone(); y.transpose_(0, 1); y * 2",
    "y = a.clone(); y.swapaxes_(0, 1); y",
    "y = a.clone(); y.t_(); y * 2",
    "y = a.clone(); y.unsqueeze_(0); y * 2",
    "y = a[:1].clone(); y.squeeze_(); y * 2",
    "y = a[:1].clone(); y.squeeze_(0); y * 2",
]

INFERRED = "with torch.inference_mode(): x = torch.ones(3); "
REFUSED = [
    "singles.clone().resize_(-1)",
    "singles.clone().resize_(2, -3)",
    INFERRED + "x.resize_(2)",
    INFERRED + "x.resize_as_(row[0])",
    INFERRED + "x.set_(row[0])",
    INFERRED + "x.set_()",
    "x = torch.ones(4); y = x[:2]; x.requires_grad_(); y.unsqueeze_(0)",
    "x = torch.ones(4); y = x[:2]; x.requires_grad_(); y.t_()",
    "singles.clone().set_(3)",
    'singles.clone().resize_("a")',
    "singles.clone().set_(ints)",
    "torch.ones(2).set_(ints)",
    "row.fill_diagonal_(1)",
    "torch.ones(2, 3, 3).fill_diagonal_(1)",
    "a.t_()",
    "a.unsqueeze_(0)",
    "a.resize_(2)",
]


@pytest.mark.parametrize("case", CASES)
def test_shapes_in_place_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_shapes_in_place_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_shapes_in_place_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_memory_of_another_device_is_not_set():
    with pytest.raises(RuntimeError, match='different device "meta"'):
        torch.zeros(2).set_(torch.zeros(3, device="meta"))


def test_set_to_an_imaginary_part_keeps_its_place():
    v = (torch.arange(3.0) + 1j).conj().imag
    v.set_(v)
    assert v.tolist() == [-1.0, -1.0, -1.0] and v.storage_offset() == 1
