"""Powers of complex numbers, in all corners, compared with PyTorch's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from edutorch.kernels.complex_powers import complex_power, reciprocal
from tests.oracle import torch

INF, NAN = float("inf"), float("nan")
PARTS = [0.0, -0.0, 1.0, -1.5, INF, -INF, NAN]
NUMBERS = [complex(*parts) for parts in itertools.product(PARTS, PARTS)]
PAIRS = list(itertools.product(NUMBERS, NUMBERS))


def assert_same(ours, theirs):
    for part in ("real", "imag"):
        a, b = getattr(ours, part), getattr(theirs, part)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        known = ~np.isnan(a)
        assert (np.signbit(a) == np.signbit(b))[known].all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_powers_of_special_numbers_are_those_of_c(dtype):
    x, n = (np.array(v, dtype) for v in zip(*PAIRS, strict=True))
    theirs = torch.pow(torch.from_numpy(x), torch.from_numpy(n)).numpy()
    assert_same(complex_power(x, n), theirs)


def test_reciprocals_of_complex_numbers_are_quotients():
    x = np.array(NUMBERS)
    with np.errstate(all="ignore"):
        ours = reciprocal(x)
    assert_same(ours, torch.reciprocal(torch.from_numpy(x)).numpy())
    assert reciprocal(np.array([4.0])).tolist() == [0.25]
