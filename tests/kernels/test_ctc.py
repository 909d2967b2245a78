"""CTC against the sum over all readings."""

from itertools import groupby, product

import numpy as np
import pytest

from edutorch.kernels.ctc import ctc_backward, ctc_forward, interleave_blanks


def by_all_readings(logp, labels):
    """Minus the log of the summed probability of every path that reads as `labels`."""
    steps, classes = logp.shape
    total = 0.0
    for path in product(range(classes), repeat=steps):
        read = [c for c, _ in groupby(path) if c != 0]
        if read == list(labels):
            total += np.exp(sum(logp[t, c] for t, c in enumerate(path)))
    return -np.log(total) if total else np.inf


def numbers(seed=0, steps=4, batch=3, classes=3):
    x = np.random.default_rng(seed).standard_normal((steps, batch, classes))
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


TARGETS = np.array([[1, 2], [1, 1], [2, 0]])
LENGTHS = np.array([2, 2, 1])
STEPS = np.array([4, 3, 2])


def test_ctc_forward_is_the_sum_over_all_readings():
    logp = numbers()
    loss, _ = ctc_forward(logp, TARGETS, STEPS, LENGTHS, 0)
    for n in range(3):
        labels = TARGETS[n, : LENGTHS[n]]
        expected = by_all_readings(logp[: STEPS[n], n], labels)
        np.testing.assert_allclose(loss[n], expected)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_ctc_forward_of_too_few_steps_is_infinite():
    logp = numbers()
    loss, _ = ctc_forward(logp, TARGETS, np.array([1, 2, 0]), LENGTHS, 0)
    assert loss.tolist() == [np.inf] * 3


def test_ctc_forward_without_labels_reads_blanks_only():
    logp = numbers()
    loss, _ = ctc_forward(logp, TARGETS, STEPS, np.zeros(3, int), 0)
    np.testing.assert_allclose(loss[1], -logp[:3, 1, 0].sum())


def test_ctc_backward_through_softmax_equals_differences():
    x = np.random.default_rng(1).standard_normal((4, 3, 3))
    g = np.array([1.0, 2.0, 0.5])

    def total(x):
        logp = x - np.log(np.exp(x).sum(-1, keepdims=True))
        return (g * ctc_forward(logp, TARGETS, STEPS, LENGTHS, 0)[0]).sum()

    logp = x - np.log(np.exp(x).sum(-1, keepdims=True))
    loss, alpha = ctc_forward(logp, TARGETS, STEPS, LENGTHS, 0)
    got = ctc_backward(g, logp, TARGETS, STEPS, LENGTHS, 0, loss, alpha)
    expected = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        for sign in (1, -1):
            moved = x.copy()
            moved[i] += sign * 1e-6
            expected[i] += sign * total(moved) / 2e-6
    np.testing.assert_allclose(got, expected, atol=1e-7)


def test_interleaved_does_not_skip_between_equal_labels():
    places, skips = interleave_blanks(np.array([[1, 1], [1, 2]]), 0)
    assert places.tolist() == [[0, 1, 0, 1, 0], [0, 1, 0, 2, 0]]
    assert skips[:, 3].tolist() == [False, True]
