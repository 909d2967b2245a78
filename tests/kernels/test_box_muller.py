"""Normals from uniform numbers: PyTorch's bits by the loops, nearly so by NumPy."""

from importlib.util import find_spec

import numpy as np
import pytest

import edutorch
from edutorch import config
from edutorch.kernels.box_muller import box_muller

# PyTorch's `randn(48)` of seed 0, the bits of each number.
BITS = [
    0xBF901B85, 0xBF93808A, 0xBE804BD6, 0xBEDE255D, 0x3F594515, 0x3F312783,
    0xBEA1CC6D, 0xC0075FC1, 0x3EA50138, 0xBFA1B4F4, 0x3EB330FF, 0x3E9DC3BB,
    0x3DF56F77, 0x3F9E6B93, 0x3F8EF28E, 0xBE7D367C, 0xBFAD23C2, 0xBFD91446,
    0x3F111004, 0x3F4B235D, 0x3F194D8B, 0xBFC70D5B, 0xBEAEC6CA, 0x3FED2F4E,
    0x3F400C6B, 0xBF15E32B, 0xBE318EEB, 0x3E3BE1A4, 0x3FB1D6C0, 0x3FCB0D00,
    0x3F72409C, 0xBF57FB33, 0xBF1D13C8, 0x3D016764, 0xBEFC4028, 0x3E7E6070,
    0x3EE11FD0, 0x3DE637D6, 0x3F240AF8, 0x3EE1DF3C, 0xBDD187B9, 0x3F4ADD9C,
    0xBE944F53, 0x3D571217, 0x3F05DA2F, 0x40135755, 0xBFBC04B7, 0xBFCB189E,
]  # fmt: skip


def drawn(n, dtype=np.float32):
    edutorch.manual_seed(0)
    return edutorch.rand(n).numpy().astype(dtype)


@pytest.mark.parametrize("mode", ["plain", "fast"])
def test_normals_of_either_kind_are_pytorchs_to_rounding(mode):
    expected = np.array(BITS, np.uint32).view(np.float32)
    with config.kernels(mode):
        found = box_muller(drawn(48))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=4e-7, atol=1e-7)


@pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
def test_normals_by_loops_have_pytorchs_bits():
    with config.kernels("fast"):
        found = box_muller(drawn(48))
    different = found.view(np.uint32) != np.array(BITS, np.uint32)
    # None, but where a processor cannot round a product and a sum at once.
    assert different.sum() <= 1


@pytest.mark.parametrize("n", [16, 16 * 127, 16 * 129, 2**17])
def test_normals_by_loops_are_those_by_numpy(n):
    u = drawn(n)
    with config.kernels("plain"):
        expected = box_muller(u)
        exact = box_muller(u.astype(np.float64))
    with config.kernels("fast"):
        found = box_muller(u)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-6)
