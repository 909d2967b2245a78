"""Rounding to 8-bit floats."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from edutorch.kernels.float8 import to_float8

KINDS = {
    "float8_e4m3fn": [448.0, 448.0, np.nan, -1.5, 288.0],
    "float8_e4m3fnuz": [np.nan, np.nan, np.nan, -1.5, np.nan],
    "float8_e5m2": [np.inf, np.inf, np.nan, -1.5, 320.0],
    "float8_e5m2fnuz": [np.nan, np.nan, np.nan, -1.5, 320.0],
    "float8_e8m0fnu": [2.0**20, np.nan, np.nan, 2.0, 256.0],
}


@pytest.mark.parametrize("name", KINDS)
def test_large_numbers_and_ties_are_rounded_as_by_pytorch(name):
    x = np.array([1e6, np.inf, np.nan, -1.5, 300.0])
    y = to_float8(x, np.dtype(getattr(ml_dtypes, name)))
    assert np.array_equal(y.astype(np.float64), KINDS[name], equal_nan=True)


def test_nan_of_e5m2_has_one_pattern():
    y = to_float8(np.array([np.nan]), np.dtype(ml_dtypes.float8_e5m2))
    assert y.view(np.uint8)[0] & 0x7F == 0x7F
