"""The affine map of a layer."""

import numpy as np
import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.linear(a, square)",
    "F.linear(a, square, row)",
    "F.linear(complexes, complexes.detach() * 1j, complexes[0])",
    "F.linear(torch.stack([complexes, complexes]), complexes)",
    "F.linear(row, square, row)",
    "F.linear(singles, torch.ones(2, 3))",
    "F.linear(a[:0], square, row)",
]

SMOOTH = [
    "F.linear(complexes, complexes * 1j, complexes[0])",
    "F.linear(a, square)",
    "F.linear(a, square, row)",
    "F.linear(squares, square, row)",
    "F.linear(row, square, row)",
]

REFUSED = [
    "F.linear(a, row, 1)",
    "F.linear(a, a.t())",
    "F.linear(singles, square)",
    "F.linear(a, None)",
    "F.linear(a, a.detach().numpy())",
    "F.linear(a, squares)",
    "F.linear(singles, square, row)",
    "F.linear(a, square, singles[0])",
    "F.linear(squares.float(), square)",
    "F.linear(squares.float(), square, row)",
]


@pytest.mark.parametrize("case", CASES)
def test_affine_maps_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_affine_maps_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_affine_maps_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


# Biases of one row or column are added within the product, others to its result.
BIASES = [
    "F.linear(squares, square, row[None])",
    "F.linear(row, square, row[None])",
    "F.linear(a, square, a)",
    "F.linear(a, square, a[:, :1])",
    "F.linear(a, square, scalar)",
    "F.linear(squares, square, scalar)",
    "F.linear(squares, square, square)",
    "F.linear(squares, square, squares)",
    "F.linear(squares, square, squares[:, :1])",
    "F.linear(squares.detach().float(), square.detach().float(), square.detach())",
]
OTHER_BIASES = [
    "F.linear(a, square, square)",
    "F.linear(squares, square, a)",
    "F.linear(row, square, a)",
    "F.linear(a, square, singles)",
]


@pytest.mark.parametrize("case", BIASES)
def test_affine_maps_with_biases_of_any_shape_equal_pytorch(case):
    alike(__file__, case, nodes="row[None]" not in case)


@pytest.mark.parametrize("case", OTHER_BIASES)
def test_affine_maps_with_biases_that_do_not_fit_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("case", BIASES[:-1])
def test_affine_maps_with_biases_of_any_shape_have_the_derivatives_of_differences(case):
    derivatives(case)


OTHER_NODES = [
    "F.linear(squares, square, row)",
    "F.linear(squares, square)",
    "F.linear(row, square)",
    "F.linear(a, row)",
]


@pytest.mark.parametrize("case", OTHER_NODES)
def test_affine_maps_of_other_shapes_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)


def test_linear_of_stacked_rows_has_the_gradients_of_one_product():
    """The bits are those of a matrix of all rows, not of a product for each matrix."""
    torch.manual_seed(0)
    x, w = torch.randn(8, 64, 40), torch.randn(96, 40)
    g = torch.randn(8, 64, 96)
    gradients = []
    for shape in (x.shape, (-1, 40)):
        rows = x.reshape(shape).requires_grad_()
        y = torch.nn.functional.linear(rows, w)
        (gx,) = torch.autograd.grad(y, rows, g.reshape(y.shape))
        gradients.append(gx.numpy().reshape(-1))
    np.testing.assert_array_equal(*gradients)
