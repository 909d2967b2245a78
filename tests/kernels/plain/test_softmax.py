"""Softmax and cross entropy as formulas."""

import numpy as np

from edutorch.kernels.plain import softmax

X = np.array([[0.0, 1.0, 3.0], [1000.0, 0.0, 999.0]])


def test_softmax_adds_up_to_one_however_large_its_inputs():
    y = softmax.softmax(X, 1)
    np.testing.assert_allclose(y.sum(1), 1)
    np.testing.assert_allclose(y[0], np.exp(X[0]) / np.exp(X[0]).sum())
    np.testing.assert_allclose(np.exp(softmax.log_softmax(X, 1)), y)


def test_gradients_are_those_of_differences():
    x, g, step = X[:1], np.array([[1.0, -2.0, 0.5]]), 1e-6
    for f, backward in (
        (softmax.softmax, softmax.softmax_backward),
        (softmax.log_softmax, softmax.log_softmax_backward),
    ):
        each = [
            (g * (f(x + step * e, 1) - f(x - step * e, 1))).sum() / (2 * step)
            for e in np.eye(3)
        ]
        np.testing.assert_allclose(backward(g, f(x, 1), 1)[0], each, atol=1e-8)


def test_cross_entropy_is_minus_the_log_softmax_of_the_target():
    target = np.array([2, 0])
    losses, sums = softmax.cross_entropy_rows(X, target)
    np.testing.assert_allclose(losses, -softmax.log_softmax(X, 1)[[0, 1], target])
    gx = softmax.cross_entropy_rows_backward(np.array([1.0, 2.0]), X, sums, target)
    expected = softmax.softmax(X, 1) - np.eye(3)[target]
    np.testing.assert_allclose(gx, expected * [[1], [2]])
