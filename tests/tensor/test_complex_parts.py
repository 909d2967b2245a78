"""Real and imaginary parts of arrays."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.tensor.complex_parts import COMPLEX32, imag_part, real_part, without_imag


@pytest.mark.parametrize("dtype", [COMPLEX32, np.complex64, np.complex128])
def test_parts_are_writable_views(dtype):
    x = (np.arange(6) * (1 + 2j)).reshape(2, 3).astype(dtype)
    part = real_part(x)[:, ::2]
    part[1] = 9
    imag_part(x)[0, 1] = -1
    assert x.astype(complex).tolist() == [
        [0, 1 - 1j, 2 + 4j],
        [9 + 6j, 4 + 8j, 9 + 10j],
    ]
    assert np.shares_memory(part, x)


def test_only_what_becomes_real_loses_its_imaginary_parts():
    x = np.array([1 + 2j]).astype(COMPLEX32)
    assert without_imag(x, np.float32).dtype == np.float16
    assert without_imag(x, np.complex64) is x
    assert without_imag(np.ones(1), np.float32).dtype == np.float64
