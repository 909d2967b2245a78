"""Copies with one part replaced."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused
from tests.programs import Programs

programs = Programs(__file__)

CASES = [
    "torch.select_scatter(singles, torch.ones(3), 0, 1)",
    "singles.as_strided_scatter(torch.ones(2), (2,), (3,), 1)",
    "torch.as_strided_scatter(a, b[0], (3,), (1,), 2)",
    "torch.as_strided_scatter(a, b[:, :2], (2, 2), (1, 3), 1)",
    "torch.as_strided_scatter(a[1:], b[0, :2], (2,), (1,))",
    "torch.as_strided_scatter(a.detach().t(), b[0], (3,), (2,))",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "torch.select_scatter(a, b[0], 0, 1)",
    "a.select_scatter(b[:, 0], 1, -1)",
    "torch.slice_scatter(a, b[:, :1], 1, 1, 2)",
    "a.slice_scatter(b[:1], 0, 1)",
    "torch.slice_scatter(a, b[:, :2], 1, 0, 3, 2)",
    "torch.diagonal_scatter(a, b[0, :2])",
    "torch.diagonal_scatter(a, b[0, :2], 1)",
]

SMOOTH = [
    "torch.select_scatter(a, b[0], 0, 1) ** 2",
    "torch.slice_scatter(a, b[:, :1], 1, 1, 2) ** 2",
    "torch.diagonal_scatter(a, b[0, :2]) ** 2",
    "torch.as_strided_scatter(ints.double(), b[0], (3,), (1,), 2) ** 2",  # of src alone
]

REFUSED = [
    "torch.slice_scatter(scalar, scalar, 0, 0, 1)",
    "torch.diagonal_scatter(a, b)",
    "torch.as_strided_scatter(singles, torch.ones(3), (2,), (3,), 1)",
    "torch.as_strided_scatter(singles, torch.ones(2), (2,), (300,))",
    "complexes.select_scatter(complexes[0], 0, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_scattered_views_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_placed_equal_pytorch_with_nodes(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_placed_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_placed_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_as_strided_scatter_of_samples_is_refused():
    def place(x):
        return torch.as_strided_scatter(x, torch.ones(2), (2,), (2,), 1)

    with pytest.raises(RuntimeError, match="as_strided_scatter requires special hand"):
        torch.vmap(place)(torch.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize("strides", [(10, 2), (1, 3), (6, 1)])
def test_copies_have_the_strides_of_the_input(strides):
    x = torch.empty_strided((3, 5), strides).fill_(0)
    for y in (
        torch.diagonal_scatter(x, torch.ones(3)),
        torch.select_scatter(x, torch.ones(3), 1, 0),
        torch.slice_scatter(x, torch.ones(3, 2), 1, 0, 2),
    ):
        assert y.stride() == strides and y.sum() > 0 and x.sum() == 0


def test_as_strided_scatter_of_16_bits_has_the_strides_of_the_input():
    x = torch.zeros(32, dtype=torch.bfloat16)[::2]
    y = torch.as_strided_scatter(x, torch.ones(2, dtype=torch.bfloat16), (2,), (2,))
    assert y.stride() == (2,) and y.tolist() == [1, 1, *[0] * 14]


def test_copy_of_an_input_with_gaps_has_a_gradient():
    x = torch.zeros(3, 10, requires_grad=True)
    src = torch.ones(3, requires_grad=True)
    torch.diagonal_scatter(x[:, ::2], src).sum().backward()
    assert x.grad[0].tolist() == [0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert src.grad.tolist() == [1, 1, 1]


def test_elements_of_an_expanded_tensor_are_replaced_in_a_copy():
    y = torch.as_strided_scatter(torch.ones(1).expand(4), torch.zeros(2), (2,), (2,))
    assert y.tolist() == [0, 1, 0, 1]


@programs.add
def tangents_of_what_was_replaced(torch):
    fw, x, t = torch.autograd.forward_ad, torch.arange(6.0), torch.arange(6.0) + 1
    with fw.dual_level():
        a = fw.make_dual(x.view(2, 3), t.view(2, 3))
        b = fw.make_dual(x[:2], t[:2] * 10)
        whole = torch.as_strided_scatter(a, b, (2,), (2,), 1)
        alone = torch.as_strided_scatter(x.view(2, 3), b, (2,), (2,), 1)
        return [fw.unpack_dual(y).tangent for y in (whole, alone)]


test_forward_mode = programs.test()
