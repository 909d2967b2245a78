"""Dropout: PyTorch's masks from the same seed, its gradients and its refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import edutorch as torch
import edutorch.nn.functional as F
from edutorch import autograd


@pytest.fixture
def oracle():
    from tests.oracle import torch as oracle

    return oracle


NAMES = ("dropout", "alpha_dropout", "feature_alpha_dropout", "dropout1d", "dropout2d",
         "dropout3d")  # fmt: skip
SHAPES = {"dropout1d": [(3, 4), (2, 3, 4)], "dropout2d": [(2, 3, 4), (2, 3, 4, 5)],
          "dropout3d": [(2, 3, 4, 5), (2, 3, 2, 2, 2)]}  # fmt: skip


def test_dropout_with_stored_seed_equals_pytorch():
    torch.manual_seed(0)
    y = F.dropout(torch.ones(5), 0.2)
    assert y.tolist() == [0.0, 1.25, 1.25, 0.0, 1.25]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("p", [0.0, 0.4, 1.0])
def test_dropout_and_its_gradient_equal_pytorch(oracle, name, p):
    for shape in SHAPES.get(name, [(64,), (4, 6)] if name == "dropout" else [(4, 6)]):
        values = np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32)
        found = []
        for module in (torch, oracle):
            x = module.tensor(values.tolist()).reshape(shape).requires_grad_()
            module.manual_seed(5)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                y = getattr(module.nn.functional, name)(x, p, True)
            (y * y).sum().backward()
            found.append((y.tolist(), x.grad.tolist(), module.rand(1).item()))
        for mine, theirs in zip(*found, strict=True):
            assert np.array(mine) == pytest.approx(np.array(theirs), rel=1e-6, abs=1e-6)


def test_dropout_of_a_view_follows_its_memory(oracle):
    torch.manual_seed(5)
    oracle.manual_seed(5)
    expected = oracle.nn.functional.dropout(oracle.ones(3, 4).t(), 0.5)
    assert F.dropout(torch.ones(3, 4).t(), 0.5).tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["dropout1d", "dropout3d"])
def test_dropout_in_place_of_a_single_sample_changes_its_shape(oracle, name):
    size = (2, 3) if name == "dropout1d" else (2, 3, 2, 2)
    answers = []
    for lib in (torch, oracle):
        dropout, x = getattr(lib.nn.functional, name), lib.ones(size)
        given = dropout(x, 0.5, False, True)
        answers.append((given is x, x._version))
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
            dropout(x.detach().requires_grad_(), 0.5, False, True)
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", NAMES)
def test_dropout_in_evaluation_gives_its_input(name):
    x = torch.ones(SHAPES.get(name, [(3, 4)])[-1])
    assert getattr(F, name)(x, 0.5, training=False).data_ptr() == x.data_ptr()


def test_dropout_in_place_writes_into_its_input():
    x = torch.ones(100)
    assert F.dropout(x, 0.5, inplace=True) is x
    assert set(x.tolist()) == {0.0, 2.0}
    y = torch.ones(3, 40)
    assert F.dropout1d(y, 0.5, inplace=True).data_ptr() == y.data_ptr()
    assert y.std(1).tolist() == [0, 0, 0]


def test_dropout_node_has_pytorchs_name():
    x = torch.ones(3, requires_grad=True)
    assert F.dropout(x).grad_fn.name() == "MulBackward0"


def test_dropout_has_right_derivatives():
    def draw(x):
        torch.manual_seed(1)  # the same mask each time
        return F.dropout(x, 0.4)

    x = torch.rand(7, dtype=torch.float64, requires_grad=True)
    assert autograd.gradcheck(draw, (x,))
    assert autograd.gradgradcheck(draw, (x,))


def test_alpha_dropout_keeps_mean_and_variance():
    torch.manual_seed(0)
    x = torch.randn(100_000)
    y = F.alpha_dropout(x, 0.3, training=True)
    assert y.mean().item() == pytest.approx(0, abs=0.02)
    assert y.std().item() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_dropout_with_p_that_is_no_probability_raises(name, p):
    x = torch.ones(SHAPES.get(name, [(3, 4)])[-1])
    with pytest.raises(
        ValueError, match="dropout probability has to be between 0 and 1"
    ):
        getattr(F, name)(x, p)


def test_dropout_of_what_it_cannot_scale_raises():
    with pytest.raises(RuntimeError, match="result type Float can't be cast to"):
        F.dropout(torch.ones(3, dtype=torch.int64))
    with pytest.raises(RuntimeError, match="dropout1d: Expected 2D or 3D input"):
        F.dropout1d(torch.ones(3))
    with pytest.raises(RuntimeError, match="Feature dropout requires at least 2"):
        F.feature_alpha_dropout(torch.ones(3), training=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        F.dropout(torch.ones(3, requires_grad=True), inplace=True)


def test_dropout_of_unusual_dimensions_warns():
    with pytest.warns(UserWarning, match="dropout2d: Received a 2-D input"):
        F.dropout2d(torch.ones(3, 3))
    with pytest.warns(UserWarning, match="dropout2d: Received a 3D input"):
        F.dropout2d(torch.ones(3, 3, 3))
    with pytest.warns(UserWarning, match="dropout3d: Received a 2-D input"):
        F.dropout3d(torch.ones(3, 3))


def test_dropout_of_complex_numbers_is_refused():
    with pytest.raises(NotImplementedError, match='"bernoulli_scalar_cpu_" not impl'):
        F.dropout(torch.ones(2, dtype=torch.complex64))
    assert F.dropout(torch.ones(2, dtype=torch.complex64), 0.0).is_complex()


@pytest.mark.parametrize("name", NAMES)
def test_dropout_with_its_probability_in_a_tensor_equals_that_with_a_number(name):
    found = []
    for p in (0.25, torch.tensor(0.25)):
        torch.manual_seed(4)
        found.append(
            getattr(F, name)(torch.ones(SHAPES.get(name, [(2, 8)])[-1]), p, True)
        )
    assert torch.equal(*found)


@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
def test_alpha_dropout_draws_in_the_order_of_memory(order):
    x = torch.ones(3, 4).permute(*order)
    torch.manual_seed(5)
    y = F.alpha_dropout(x, 0.5, training=True)
    torch.manual_seed(5)
    expected = F.alpha_dropout(torch.ones(3, 4), 0.5, training=True).permute(*order)
    assert y.tolist() == expected.tolist()
    assert y.stride() == x.stride()


@pytest.mark.parametrize("name", ["dropout", "alpha_dropout", "feature_alpha_dropout"])
@pytest.mark.parametrize("shape", [(1, 4, 2), (3, 1, 2), (3, 4, 1)])
def test_dropout_of_expanded_tensors_equals_pytorch(oracle, name, shape):
    found = []
    for module in (torch, oracle):
        module.manual_seed(6)
        x = module.arange(24.0).reshape(3, 4, 2)[tuple(map(slice, shape))]
        y = getattr(module.nn.functional, name)(x.expand(3, 4, 2), 0.5, training=True)
        found.append((y.tolist(), y.stride()))
    assert found[0] == found[1]


def test_a_tensor_with_dimensions_is_no_probability():
    with pytest.raises(
        TypeError, match="argument 'p' .position 2. must be float, not T"
    ):
        torch.nn.functional.dropout(torch.ones(3), torch.full((1, 1), 0.5))
    assert torch.nn.functional.dropout(torch.ones(3), torch.tensor(0.0)).sum() == 3
