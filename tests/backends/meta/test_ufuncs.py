"""Elementwise functions on arrays without values have NumPy's dtypes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from edutorch.backends.meta.array import meta_like

DTYPES = ("?", "b", "i", "l", "e", "f", "d", "F")


@pytest.mark.parametrize("name", ["add", "true_divide", "greater", "power"])
def test_dtypes_promote_as_numpys(name):
    run = getattr(np, name)
    for a, b in itertools.product(DTYPES, repeat=2):
        x, y = np.ones((2, 1), a), np.ones(3, b)
        try:
            expected = run(x, y)
        except TypeError:
            continue
        found = run(meta_like(x), meta_like(y))
        assert (found.dtype, found.shape) == (expected.dtype, (2, 3)), (a, b)
        assert run(meta_like(x), 2).dtype == run(x, 2).dtype


def test_products_of_wrong_shapes_are_refused_with_numpys_message():
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        meta_like(np.ones((2, 3))) @ meta_like(np.ones((2, 3)))


def test_checks_find_nothing_wrong():
    x = meta_like(np.ones(5))
    assert bool(np.isfinite(x).all()) and not bool((x < 0).any())
    assert not x.max() > 7
