"""Softmax, its relatives and cross entropy."""

import warnings

import numpy as np
import pytest

from edutorch.kernels import softmax
from edutorch.kernels.plain import softmax as plain_softmax

RNG = np.random.default_rng(4)
SHAPES = [((5, 7), 1), ((5, 7), 0), ((3, 4, 5), 1), ((3, 4, 5), -1), ((6,), 0), ((), 0)]


def difference(f, x, g, step=1e-6):
    """The gradient of sum(g f(x)), by central differences."""
    gx = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        for sign in (1, -1):
            moved = x.copy()
            moved[i] += sign * step
            gx[i] += sign * (g * f(moved)).sum() / (2 * step)
    return gx


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_softmax_equals_the_formula(shape, axis):
    x = np.asarray(RNG.standard_normal(shape))
    expected = plain_softmax.softmax(x, axis) if shape else np.ones(())
    y = softmax.softmax(x, axis)
    assert y.shape == shape
    np.testing.assert_allclose(y, expected)
    np.testing.assert_allclose(
        softmax.log_softmax(x, axis), np.log(expected), atol=1e-12
    )


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_backward_equals_differences(name, shape, axis):
    x, g = (np.asarray(RNG.standard_normal(shape)) for _ in range(2))
    f, backward = getattr(softmax, name), getattr(softmax, f"{name}_backward")
    got = backward(g, f(x, axis), axis)
    np.testing.assert_allclose(got, difference(lambda v: f(v, axis), x, g), atol=1e-8)


def test_softmax_of_large_numbers_does_not_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert softmax.softmax(np.array([[1e4, 0.0]]), 1).tolist() == [[1, 0]]
        assert softmax.log_softmax(np.array([[1e4, 0.0]]), 1).tolist() == [[0, -1e4]]


def test_softmax_of_halves_and_of_nothing_keeps_dtype_and_shape():
    assert softmax.softmax(np.ones((2, 3), np.float16), 1).dtype == np.float16
    assert softmax.softmax(np.ones((0, 3)), 1).shape == (0, 3)


def test_softmax_of_many_rows_goes_block_by_block(monkeypatch):
    x = RNG.standard_normal((50, 6))
    whole = softmax.softmax(x, 1)
    monkeypatch.setattr(softmax, "BLOCK", 16)
    np.testing.assert_array_equal(softmax.softmax(x, 1), whole)


def test_logsumexp_of_infinities_is_their_maximum():
    x = np.array([[-np.inf, -np.inf], [np.inf, 0.0], [0.0, 0.0]])
    got = softmax.logsumexp(x, (1,))
    np.testing.assert_allclose(got, [-np.inf, np.inf, np.log(2)])
    assert softmax.logsumexp(x, (0, 1), keepdims=True).shape == (1, 1)


def test_cross_entropy_rows_is_minus_the_chosen_log_softmax():
    x, t = RNG.standard_normal((6, 5)), np.array([0, 4, 2, 2, 1, 3])
    losses, sums = softmax.cross_entropy_rows(x, t)
    np.testing.assert_allclose(losses, -softmax.log_softmax(x, 1)[np.arange(6), t])
    g = RNG.standard_normal(6)
    got = softmax.cross_entropy_rows_backward(g, x, sums, t)
    expected = difference(lambda v: softmax.cross_entropy_rows(v, t)[0], x, g)
    np.testing.assert_allclose(got, expected, atol=1e-8)


@pytest.mark.parametrize("width", [3, 400])
def test_cross_entropy_rows_of_large_numbers_keeps_all_digits(width):
    x = np.full((2, width), -np.inf, np.float32)
    x[:, :2] = 1e30
    losses, sums = softmax.cross_entropy_rows(x, np.array([0, 1]))
    np.testing.assert_allclose(losses, np.log([2, 2]), rtol=1e-6)
    g = np.float32([1, 3])
    gx = softmax.cross_entropy_rows_backward(g, x, sums, np.array([0, 1]))
    np.testing.assert_allclose(gx[:, :2], [[-0.5, 0.5], [1.5, -1.5]], rtol=1e-6)


def test_row_max_and_row_sums_take_any_dtype():
    x = np.array([[1.0, np.nan, 3], [4, 6, 5]])
    np.testing.assert_array_equal(softmax.row_max(x), [np.nan, 6])
    assert softmax.row_sums(np.array([[1, 2], [3, 4]])).tolist() == [3, 7]
