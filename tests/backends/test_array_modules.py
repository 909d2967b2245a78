"""Arrays know their library."""

import sys
from types import ModuleType

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import (
    array_module,
    host_array,
    on_gpu,
    reduce_with,
    to_device_of,
)
from edutorch.backends.array_modules import REDUCTIONS


def test_array_module_of_numpy_arrays_and_numbers_is_numpy():
    assert array_module(np.zeros(2)) is np
    assert array_module(np.float32(2)) is np
    assert array_module(3) is np
    assert array_module(torch.bfloat16.numpy.type(1)) is np


def test_array_module_of_a_subclass_is_numpy():
    class Marked(np.ndarray):
        """An array of some program."""

    assert array_module(np.zeros(2).view(Marked)) is np


def test_array_module_of_sparse_arrays_is_numpy():
    assert array_module(torch.eye(2).to_sparse()._data) is np


def test_array_module_of_cupy_arrays_is_cupy(monkeypatch):
    class Foreign:
        """Stands for CuPy's array, whose class lies in a module of CuPy."""

    Foreign.__module__ = "cupy._core.core"
    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))
    assert array_module(Foreign()).__name__ == "cupy"


def test_array_module_of_meta_arrays_is_their_own():
    assert array_module(torch.empty(2, device="meta")._data) is not np


@pytest.mark.parametrize("name", sorted(REDUCTIONS))
def test_reductions_of_numpy_are_those_of_its_ufuncs(name):
    ufunc, x = getattr(np, name), np.array([[1.0, 3.0], [0.0, 2.0]])
    for keepdims in (False, True):
        expected = ufunc.reduce(x, axis=1, keepdims=keepdims)
        assert np.array_equal(reduce_with(ufunc, x, 1, keepdims), expected)


def test_arrays_of_numpy_stand_beside_each_other_as_they_are():
    x = np.array(2.0)
    assert to_device_of(x, np.ones(3)) is x
    assert host_array(x) is x
    assert not on_gpu(x)
