"""The stand-in refuses what CuPy refuses."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")

from tests.gpu_double.install import stand_in


@pytest.fixture
def cp():
    """The replacement for CuPy."""
    with stand_in() as module:
        yield module


def test_implicit_conversion_to_numpy_is_refused(cp):
    with pytest.raises(TypeError, match="Implicit conversion to a NumPy array"):
        np.asarray(cp.zeros(2))


@pytest.mark.parametrize(
    "mixed",
    [
        lambda cp, x: x + np.ones(2),
        lambda cp, x: np.ones(2) * x,
        lambda cp, x: np.where(x > 0, x, np.ones(2)),
        lambda cp, x: np.concatenate([x, np.ones(2)]),
    ],
)
def test_arrays_of_numpy_are_refused_beside_it(cp, mixed):
    with pytest.raises(TypeError, match="Unsupported type"):
        mixed(cp, cp.ones(2))


def test_arrays_of_two_devices_are_refused(cp):
    with cp.cuda.Device(1):
        x = cp.ones(2)
    with pytest.raises(ValueError, match="Array device must be same"):
        x + cp.ones(2)


@pytest.mark.parametrize("name", ["vecdot", "errstate", "insert", "spacing"])
def test_names_that_cupy_lacks_are_missing(cp, name):
    with pytest.raises(AttributeError):
        getattr(cp, name)


def test_arguments_that_cupy_lacks_are_refused(cp):
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        cp.max(cp.ones(2), initial=0)
    with pytest.raises(NotImplementedError, match="reduce"):
        np.maximum.reduce(cp.ones(2))


def test_reductions_and_elements_are_arrays(cp):
    x = cp.arange(3.0)
    assert type(x.sum()) is type(x[0]) is type(np.max(x)) is cp.ndarray
    x[0][...] = 5  # an element is a view
    assert x.get().tolist() == [5.0, 1.0, 2.0]


def test_uploaded_arrays_are_copies(cp):
    host = np.zeros(2)
    x = cp.asarray(host)
    host[0] = 1
    assert x.get().tolist() == [0.0, 0.0]
