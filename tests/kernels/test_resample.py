"""Lines of numbers at another resolution."""

import numpy as np
import pytest

from edutorch.kernels import resample

RNG = np.random.default_rng(3)
TABLES = [
    resample.nearest_table(5, 8, False, None, np.float64),
    resample.interpolation_table(5, 8, False, False, 1.7, np.float64),
    resample.interpolation_table(5, 3, True, True, None, np.float64),
    resample.antialias_table(9, 4, "lanczos", False, None, np.float64),
    resample.antialias_table(4, 9, "cubic", False, 2.2, np.float64),
]


@pytest.fixture(params=["matrix", "taps"], autouse=True)
def way(request, monkeypatch):
    """Short lines are multiplied with a matrix, long ones summed tap by tap."""
    monkeypatch.setattr(
        resample, "MAX_MATRIX_SIZE", 128 if request.param == "matrix" else 0
    )


@pytest.mark.parametrize("table", TABLES)
def test_resample_back_is_the_transpose_of_resample(table):
    x = RNG.standard_normal((2, table.size, 3))
    y = resample.resample(x, 1, table)
    g = RNG.standard_normal(y.shape)
    gx = resample.resample_backward(g, 1, table)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())


@pytest.mark.parametrize("table", TABLES)
def test_weights_of_a_position_add_up_to_one(table):
    ones = np.ones((1, table.size))
    np.testing.assert_allclose(resample.resample(ones, 1, table), 1)


def test_what_is_not_finite_spoils_its_neighbours_only():
    table = resample.interpolation_table(8, 16, False, False, None, np.float64)
    x = np.arange(8.0)[None]
    x[0, 0] = np.inf
    y = resample.resample(x, 1, table)
    assert np.isfinite(y[0, 3:]).all()
    assert np.isfinite(resample.resample_backward(y, 1, table)[0, 3:]).all()


def test_bytes_are_rounded_to_whole_numbers():
    table = resample.interpolation_table(2, 3, False, True, None, np.float64)
    x = np.array([[0, 5]], np.uint8)
    assert resample.resample_bytes(x, 1, table).tolist() == [[0, 3, 5]]


def test_weights_have_as_many_digits_as_fit_16_bits():
    assert resample.weight_bits(1.0) == 14
    assert resample.weight_bits(0.1) == 18
