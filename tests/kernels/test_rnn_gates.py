"""Steps of LSTM and GRU against their formulas."""

from __future__ import annotations

import numpy as np

from edutorch.kernels import rnn_gates

rng = np.random.default_rng(4)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def differences(f, x, g):
    """Numerical gradient of sum(f(x) * g) with respect to x."""
    found = np.empty_like(x)
    for i in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[i] += 1e-6
        low[i] -= 1e-6
        found[i] = ((f(high) - f(low)) * g).sum() / 2e-6
    return found


def lstm(a, c):
    factors = rnn_gates.tanh_scale_and_shift(a, "ssts")
    a, c = a * factors[0], c.copy()
    h, tanh_c = rnn_gates.lstm_step(a, c, factors)
    return h, c, a, tanh_c


def test_gates_are_sigmoid_and_tanh_even_far_out():
    a = np.array([[-800.0, 800.0, 0.3, 0.3]])
    active = lstm(a, np.ones((1, 1)))[2]
    assert np.allclose(active, [[0, 1, np.tanh(0.3), sigmoid(0.3)]])


def test_lstm_step_and_backward_are_the_formulas():
    a, c = rng.standard_normal((2, 12)), rng.standard_normal((2, 3))
    h, new, active, tanh_c = lstm(a, c)
    i, f, z, o = rnn_gates.split_lstm_gates(a)
    cells = sigmoid(f) * c + sigmoid(i) * np.tanh(z)
    assert np.allclose(new, cells) and np.allclose(h, sigmoid(o) * np.tanh(cells))
    gh, gc = rng.standard_normal((2, 3)), rng.standard_normal((2, 3))
    expected = [
        differences(lambda v: np.hstack(lstm(v, c)[:2]), a, np.hstack([gh, gc])),
        differences(lambda v: np.hstack(lstm(a, v)[:2]), c, np.hstack([gh, gc])),
    ]
    ga, d_c = rnn_gates.lstm_derivatives(active, c, tanh_c)
    rnn_gates.lstm_step_backward(gh, gc, rnn_gates.split_lstm_gates(active)[1], ga, d_c)
    assert np.allclose(ga, expected[0]) and np.allclose(gc, expected[1])


def gru(a, r, h):
    scale, _ = rnn_gates.tanh_scale_and_shift(a, "sst")
    a = a * scale
    return rnn_gates.gru_step(a, r * scale, h), a


def test_gru_step_and_backward_are_the_formulas():
    a, r = rng.standard_normal((2, 2, 9))
    h, g = rng.standard_normal((2, 2, 3))
    y, active = gru(a, r, h)
    (a_r, a_z, a_n), (r_r, r_z, r_n) = (
        rnn_gates.split_gru_gates(a),
        rnn_gates.split_gru_gates(r),
    )
    z, n = sigmoid(a_z + r_z), np.tanh(a_n + sigmoid(a_r + r_r) * r_n)
    assert np.allclose(y, (1 - z) * n + z * h)
    ga, gr = rnn_gates.gru_derivatives(active, r_n, h), np.empty_like(r)
    gh = rnn_gates.gru_step_backward(g, active, ga, gr)
    assert np.allclose(ga, differences(lambda v: gru(v, r, h)[0], a, g))
    assert np.allclose(gr, differences(lambda v: gru(a, v, h)[0], r, g))
    assert np.allclose(gh, differences(lambda v: gru(a, r, v)[0], h, g))
