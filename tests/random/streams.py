"""A generator of edutorch and one of PyTorch, drawing in parallel."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from edutorch.random import Generator

__all__ = ["FLOATS", "INTEGERS", "SIZES", "Streams", "numpy_of"]

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")
# About the sizes where normals change their method, and blocks of 624 words.
SIZES = (0, 1, 2, 5, 15, 16, 17, 31, 32, 33, 100, 1001)


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def numpy_of(tensor):
    """A tensor of PyTorch as an array; its bfloat16 NumPy cannot read."""
    if str(tensor.dtype) == "torch.bfloat16":
        return tensor.float().numpy().astype(ml_dtypes.bfloat16)
    return tensor.numpy()


class Streams:
    """Both generators from one seed; `check` compares draws, then the states."""

    def __init__(self, torch, seed):
        self.torch = torch
        self.ours = Generator().manual_seed(seed)
        self.theirs = torch.Generator().manual_seed(seed)

    def check(self, mine, tensor, tolerance=0.0):
        """Equal where `tolerance` is 0; otherwise nearly so, and to a digit."""
        expected = numpy_of(tensor)
        assert mine.dtype == expected.dtype
        assert mine.shape == expected.shape
        if dtype_of(mine.dtype.name).itemsize == 2 and tolerance:
            tolerance = 0.01
        np.testing.assert_allclose(
            mine.astype(np.float64),
            expected.astype(np.float64),
            rtol=tolerance,
            atol=tolerance,
        )
        self.check_state()

    def check_state(self):
        """All but the kept normal, which may differ in the last digit, is equal."""
        ours = np.asarray(self.ours.get_state()).view(np.uint64).copy()
        theirs = self.theirs.get_state().numpy().view(np.uint64).copy()
        kept = 3 + 624 + 1
        assert ours[kept : kept + 1].view(float) == (
            pytest.approx(theirs[kept : kept + 1].view(float), rel=1e-9)
        )
        ours[kept] = theirs[kept]
        assert np.array_equal(ours, theirs)
