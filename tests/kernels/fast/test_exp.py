"""The exponential that kernels call."""

import numpy as np

from edutorch.kernels.fast.exp import exp_nonpositive


def test_exp_down_equals_exp_to_the_last_digits():
    x = np.linspace(-86, 0, 400, dtype=np.float32)
    got = np.array([exp_nonpositive(v) for v in x])
    np.testing.assert_allclose(got, np.exp(x.astype(float)), rtol=3e-7)
    assert exp_nonpositive(np.float32(0)) == 1


def test_exp_down_keeps_nan_and_gives_0_for_what_is_too_small():
    assert np.isnan(exp_nonpositive(np.float32(np.nan)))
    assert exp_nonpositive(np.float32(-1e30)) == 0
    assert exp_nonpositive(np.float32(-np.inf)) == 0
