"""Steps of an LSTM: the numbers of the kernels for the CPU."""

import numpy as np
import pytest

from edutorch.kernels import rnn_gates
from edutorch.kernels.gpu import rnn
from tests.kernels.gpu.on_cpu import kernels_on_the_cpu

pytestmark = pytest.mark.usefixtures(kernels_on_the_cpu.__name__)


def numbers(dtype, *shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lstm_step_equals_the_cpus(dtype):
    a, c = numbers(dtype, 3, 20), numbers(dtype, 3, 5, seed=1)
    ours = a.copy(), c.copy()
    h, t = rnn_gates.lstm_step(a, c, rnn_gates.tanh_scale_and_shift(a, "ssts"))
    for x, y in zip((*rnn.lstm_step(*ours), *ours), (h, t, a, c), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lstm_step_backward_equals_the_cpus(dtype):
    gh, d_c = numbers(dtype, 3, 5), numbers(dtype, 3, 5, seed=1)
    f = numbers(dtype, 3, 20, seed=2)[:, 5:10]
    gc, grads = numbers(dtype, 3, 5, seed=3), numbers(dtype, 3, 20, seed=4)
    ours = gc.copy(), grads.copy()
    rnn_gates.lstm_step_backward(gh, gc, f, grads, d_c)
    assert rnn.lstm_step_backward(gh, ours[0], f, ours[1], d_c)
    for x, y in zip(ours, (gc, grads), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)


def test_arrays_with_gaps_are_left_to_others():
    a = np.zeros((3, 40), np.float32)[:, ::2]
    assert rnn.lstm_step(a, np.zeros((3, 5), np.float32)) is None
    assert not rnn.lstm_step_backward(a, a, a, a, a)
