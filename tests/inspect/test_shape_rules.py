"""Which sizes disagree, judged from shapes alone."""

from __future__ import annotations

import pytest

from edutorch.inspect.mismatch import Operand
from edutorch.inspect.shape_rules import find_mismatch

BROADCAST = "The size of tensor a must match the size of tensor b"


def judged(op, shapes, message="", **attributes):
    roles = ("input", "target") if "loss" in op else ("input", "other", "third")
    operands = [
        Operand(role, shape, "float32", "cpu")
        for role, shape in zip(roles, shapes, strict=False)
    ]
    return find_mismatch(op, operands, message, attributes)


@pytest.mark.parametrize(
    ("op", "shapes", "marked"),
    [
        ("matmul", [(2, 3), (3, 5)], {}),
        ("matmul", [(3,), (4, 5)], {0: {0}, 1: {0}}),
        ("matmul", [(7, 2, 3), (4, 5)], {0: {2}, 1: {0}}),
        ("matmul", [(7, 2, 3), (1, 3, 5)], {}),
        ("linear", [(8, 3), (3, 4)], {0: {1}, 1: {1}}),
        ("linear", [(8, 4), (3, 4), (5,)], {2: {0}}),
        ("stack", [(2,), (2, 3)], {1: {1}}),
        ("batch_norm", [(4, 3, 8), (5,)], {0: {1}, 1: {0}}),
        ("layer_norm", [(4, 3, 8), (3, 7)], {0: {2}, 1: {1}}),
        ("conv1d", [(2, 3, 9), (8, 2, 3)], {0: {1}, 1: {1}}),
        ("conv_transpose1d", [(2, 3, 9), (4, 2, 3)], {0: {1}, 1: {0}}),
        ("softmax", [(2, 3)], {}),
        ("scaled_dot_product_attention", [(2, 3), (4, 5), (6, 7)], {}),
    ],
)
def test_sizes_that_disagree_are_marked_and_no_others(op, shapes, marked):
    assert judged(op, shapes).marked == marked


def test_channels_of_groups_are_multiplied():
    assert judged("conv2d", [(1, 6, 8, 8), (4, 3, 3, 3)], groups=2).marked == {}
    found = judged("conv2d", [(1, 5, 8, 8), (4, 3, 3, 3)], groups=2)
    assert found.rule == "the input has 5 channels, the weight takes 6"


def test_kernel_is_compared_with_the_padded_input():
    message = "Kernel size can't be greater than actual input size"
    shapes = [(1, 3, 4, 9), (8, 3, 5, 5)]
    assert judged("conv2d", shapes, message).marked == {0: {2}, 1: {2}}
    dilated = judged("conv2d", shapes, message, padding=(1, 0), dilation=(1, 3))
    assert dilated.marked == {0: {3}, 1: {3}}


def test_broadcast_counts_dimensions_from_the_last_one():
    found = judged("add", [(2, 3, 4), (3, 1), (2, 4)], BROADCAST)
    assert found.marked == {0: {1}, 1: {0}, 2: {0}}
    assert found.right
    assert found.rule == "sizes must be equal or 1: 3 and 2"


def test_target_of_an_image_is_compared_without_the_classes():
    found = judged("nll_loss", [(2, 5, 8, 8), (2, 8, 7)])
    assert found.marked == {0: {3}, 1: {2}}


def test_letters_of_an_equation_stand_for_one_size():
    found = judged("einsum", [(2, 3), (4, 2)], equation="ij,jk->ik")
    assert found.marked == {0: {1}, 1: {0}}
    assert judged("einsum", [(2, 3), (4, 2)], equation="...j,jk->...k").marked == {}
