"""Average pooling against stored numbers and its own transpose."""

import numpy as np
import pytest

from edutorch.kernels.avg_pool import avg_pool, avg_pool_backward

X = np.arange(1.0, 6).reshape(1, 1, 5)
LINE = ((2,), (2,))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"padding": (0,)}, [1.5, 3.5]),
        ({"padding": (0,), "ceil_mode": True}, [1.5, 3.5, 5.0]),
        ({"padding": (1,)}, [0.5, 2.5, 4.5]),
        ({"padding": (1,), "count_include_pad": False}, [1.0, 2.5, 4.5]),
        ({"padding": (0,), "divisor_override": 4}, [0.75, 1.75]),
    ],
)
def test_avg_pool_of_a_row_counts_padding_as_requested(options, expected):
    assert avg_pool(X, *LINE, **options)[0, 0].tolist() == expected


@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize("include", [False, True])
def test_avg_pool_backward_is_the_transpose(ceil_mode, include):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 9, 7))
    params = ((3, 2), (2, 2), (1, 1))
    y = avg_pool(x, *params, ceil_mode, include)
    g = rng.standard_normal(y.shape)
    gx = avg_pool_backward(g, x.shape, *params, include)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())


def test_avg_pool_of_integers_cuts_off_and_of_halves_adds_in_float32():
    assert avg_pool(np.array([[[1, 2]]]), *LINE, (0,)).tolist() == [[[1]]]
    x = np.full((1, 1, 4096), 20, np.float16)
    assert avg_pool(x, (4096,), (4096,), (0,)).item() == 20
