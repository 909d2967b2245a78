"""Losses of regression."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    f"F.{loss}(a, b{options})"
    for loss in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
    for options in ("", ", reduction='sum'", ", reduction='none'")
] + [
    "F.mse_loss(a, row)",
    "F.mse_loss(singles, b)",
    "F.mse_loss(a, b, size_average=False)",
    "F.mse_loss(a, b, reduce=False)",
    "F.smooth_l1_loss(a, b, beta=0.5)",
    "F.smooth_l1_loss(a, b, beta=0)",
    "F.huber_loss(a, b, delta=0.5)",
    "F.mse_loss(singles[:0], singles[:0])",
    "F.huber_loss(singles.half(), singles * 2, reduction='none')",
    "F.huber_loss(a, b, weight=positive, reduction='sum')",
]

SMOOTH = [
    "F.mse_loss(a, b)",
    "F.mse_loss(a, b, reduction='none')",
    "F.l1_loss(a, b, reduction='sum')",
    "F.smooth_l1_loss(a, b, beta=0.7)",
    "F.huber_loss(a, b, delta=0.7)",
]

REFUSED = [
    "F.mse_loss(complexes, complexes)",
    "F.smooth_l1_loss(mask, mask2)",
    "F.huber_loss(ints, a[:, :3])",
    "F.huber_loss(ints, ints2)",
    "F.huber_loss(a[:, :2], complexes)",
    "F.mse_loss(a, ch)",
    "F.mse_loss(a, b, reduction='max')",
    "F.mse_loss(ints, ints2)",
    "F.l1_loss(ints, ints2)",
    "F.l1_loss(a, b, reduction='max')",
    "F.smooth_l1_loss(a, b, beta=-1)",
    "F.smooth_l1_loss(ints, ints2)",
    "F.huber_loss(a, b, delta=0)",
    "F.huber_loss(a, b, weight=row)",
    "F.mse_loss(row, b, weight=positive)",
    "F.mse_loss(row, a[:, :2], reduction='max')",
    "F.l1_loss(a, b, weight=positive, reduction='max')",
    "F.huber_loss(row, a[:, :2], reduction='max')",
]

WEIGHTED = [
    "F.mse_loss(a, b, weight=positive)",
    "F.mse_loss(a, b, weight=positive, reduction='sum')",
    "F.l1_loss(a, b, weight=positive)",
    "F.huber_loss(a, b, weight=positive)",
    "F.mse_loss(ints, ints2, weight=positive)",
    "F.mse_loss(complexes, complexes * 2, weight=complexes)",
]


@pytest.mark.parametrize("case", WEIGHTED)
def test_weighted_loss_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_distance_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_distance_loss_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_distance_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("loss", ["huber_loss", "smooth_l1_loss"])
def test_where_the_loss_becomes_linear_its_second_derivative_is_zero(loss):
    x = torch.tensor([1.0, -1.0, 0.5, -2.0, 0.0], requires_grad=True)
    y = getattr(torch.nn.functional, loss)(x, torch.zeros(5), reduction="sum")
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert g.tolist() == [1, -1, 0.5, -1, 0]
    assert torch.autograd.grad(g.sum(), x)[0].tolist() == [0, 0, 1, 0, 1]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("loss", ["huber_loss", "smooth_l1_loss"])
def test_the_gradient_of_nan_is_nan(loss, create_graph):
    x = torch.tensor([float("nan"), 0.5], requires_grad=True)
    y = getattr(torch.nn.functional, loss)(x, torch.zeros(2), reduction="sum")
    (g,) = torch.autograd.grad(y, x, create_graph=create_graph)
    assert g.isnan().tolist() == [True, False]


def test_nan_is_no_delta_of_the_huber_loss():
    with pytest.raises(RuntimeError, match="non-positive values for delta"):
        torch.nn.functional.huber_loss(torch.ones(2), torch.ones(2), delta=float("nan"))
