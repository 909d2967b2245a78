"""The binding of oneDNN: layouts, reorders, threads, memory."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest

from edutorch.kernels import onednn

pytestmark = pytest.mark.skipif(not onednn.is_installed(), reason="needs onednn")


def test_reorder_copies_between_row_major_and_channels_last():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    rows = onednn.Layout.strided((2, 3, 4), (12, 4, 1))
    last = onednn.Layout.strided((2, 3, 4), (12, 1, 3))
    y = np.empty((2, 4, 3), np.float32)
    onednn.reorder(rows, last).run(x.ctypes.data, y.ctypes.data)
    assert (y == x.transpose(0, 2, 1)).all()


def test_layouts_with_the_same_strides_are_equal():
    a, b, c = (onednn.Layout.strided((2, 3), s) for s in ((3, 1), (3, 1), (1, 2)))
    assert a == b
    assert a != c
    assert a != "layout"
    assert a.size == 24


def test_a_failing_function_raises_with_its_status():
    with pytest.raises(RuntimeError, match="dnnl_engine_create failed with status 2"):
        onednn.library().create("dnnl_engine_create", 77, 0)


def test_one_thread_restores_the_number_of_openmp():
    threads = onednn.library().get_openmp_threads
    before = threads()
    onednn.library().set_openmp_threads(3)
    try:
        with pytest.raises(KeyError), onednn.one_thread():
            assert threads() == 1
            raise KeyError
        assert threads() == 3
    finally:
        onednn.library().set_openmp_threads(before)


def test_buffers_are_reused_and_grow():
    buffers = onednn._Buffers()
    small = buffers.address("x", 100)
    assert buffers.address("x", 50) == small
    assert small % onednn.ALIGNMENT == 0
    assert buffers.address("y", 100) != small
    large = buffers.address("x", 10**6)
    ctypes.memset(large, 1, 10**6)


def test_library_without_the_wheel_says_what_to_install(monkeypatch):
    monkeypatch.setattr(onednn, "_path", lambda: None)
    assert not onednn.is_installed()
    onednn.library.cache_clear()
    try:
        with pytest.raises(RuntimeError, match="pip install onednn-cpu-gomp"):
            onednn.library()
    finally:
        onednn.library.cache_clear()


def test_import_of_edutorch_and_small_convolutions_load_no_library():
    program = """
import edutorch as torch
torch.nn.Conv2d(1, 2, 3)(torch.zeros(1, 1, 8, 8))
raise SystemExit("libdnnl" in open("/proc/self/maps").read())
"""
    subprocess.run([sys.executable, "-c", program], check=True)
