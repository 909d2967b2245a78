"""Convolutions of oneDNN: layouts, checks of what is passed, the cache."""

import gc

import numpy as np
import pytest

from edutorch.kernels import onednn
from edutorch.kernels.onednn_primitives import (
    Convolution,
    convolution,
    dense_strides,
)

pytestmark = pytest.mark.skipif(not onednn.is_installed(), reason="needs onednn")

SHAPES = (2, 16, 9, 9), (32, 16, 3, 3), (2, 32, 4, 4)
STRIDES = tuple(dense_strides(shape) for shape in SHAPES)
GEOMETRY = (2, 2), (0, 0), (0, 0), (0, 0)


def arrays():
    return tuple(np.ones(shape, np.float32) for shape in SHAPES)


def test_a_convolution_is_created_once():
    first = convolution("forward", SHAPES, STRIDES, GEOMETRY)
    assert convolution("forward", SHAPES, STRIDES, GEOMETRY) is first
    assert "jit" in first.name or "brg" in first.name


def test_run_computes_the_convolution():
    c = convolution("forward", SHAPES, STRIDES, GEOMETRY)
    x, w, y = arrays()
    c.check(x, w, y)
    packed = c.packed_weight(w)
    c.run(x.ctypes.data, packed.ctypes.data, y.ctypes.data)
    assert (y == 144).all()


@pytest.mark.parametrize("wrong", range(3))
def test_check_rejects_arrays_of_another_shape_dtype_or_order(wrong):
    c = convolution("forward", SHAPES, STRIDES, GEOMETRY)
    shape = (*SHAPES[wrong][:3], SHAPES[wrong][3] + 1)
    for bad in (
        np.ones(shape, np.float32),
        np.ones(SHAPES[wrong]),
        np.ones(SHAPES[wrong], np.float32, order="F"),
        np.ones(shape, np.float32)[..., :-1],
    ):
        given = list(arrays())
        given[wrong] = bad
        with pytest.raises(ValueError, match="oneDNN expects"):
            c.check(*given)


def test_run_computes_some_channels_of_a_larger_result():
    x, w, y = arrays()
    y[...] = -1
    part = slice(16, 32)
    shapes = x.shape, w[part].shape, y[:, part].shape
    c = convolution("forward", shapes, STRIDES, GEOMETRY)
    c.check(x, w[part], y[:, part])
    with pytest.raises(ValueError, match="strides"):
        c.check(x, w[part], y[:, part].copy())
    packed = c.packed_weight(w[part], reuse=True)
    assert c.packed_weight(w[:16], reuse=True) is packed
    c.run(x.ctypes.data, packed.ctypes.data, y[:, part].ctypes.data)
    assert (y[:, :16] == -1).all()
    assert (y[:, 16:] == 144).all()


def test_check_rejects_a_missing_and_a_short_bias():
    with_bias = convolution("forward", SHAPES, STRIDES, GEOMETRY, bias=True)
    without = convolution("forward", SHAPES, STRIDES, GEOMETRY)
    b = np.ones(32, np.float32)
    with_bias.check_bias([b])
    without.check_bias([])
    for c, biases in (
        (without, [b]),
        (with_bias, []),
        (with_bias, [b[:-1]]),
        (with_bias, [b.astype(np.float64)]),
    ):
        with pytest.raises(ValueError, match="bias"):
            c.check_bias(biases)


def test_unpack_weight_rejects_a_short_buffer():
    c = convolution("grad_weight", SHAPES, STRIDES, GEOMETRY)
    with pytest.raises(ValueError, match="bytes"):
        c.unpack_weight(onednn.aligned(c.w.size - 4), arrays()[1])


def test_a_convolution_without_fast_code_is_none(monkeypatch):
    padding = (3, 0), (-3, 0)  # it refuses to leave out the input's last rows
    shapes = (1, 16, 9, 9), (16, 16, 1, 1), (1, 16, 9, 9)
    geometry = (1, 1), (0, 0), *padding
    assert (
        convolution("forward", shapes, tuple(map(dense_strides, shapes)), geometry)
        is None
    )
    monkeypatch.setattr("edutorch.kernels.onednn_primitives.SLOW", ("jit", "brg"))
    shapes = (3, 16, 9, 9), (32, 16, 3, 3), (3, 32, 4, 4)
    assert (
        convolution("forward", shapes, tuple(map(dense_strides, shapes)), GEOMETRY)
        is None
    )
    convolution.cache_clear()


def test_dropped_convolutions_are_destroyed(monkeypatch):
    alive = set()
    begun, destroyed = onednn.Handle.__init__, onednn.Handle.__del__
    monkeypatch.setattr(
        onednn.Handle, "__init__", lambda h, *a: (alive.add(id(h)), begun(h, *a))[1]
    )
    monkeypatch.setattr(
        onednn.Handle, "__del__", lambda h: (alive.remove(id(h)), destroyed(h))[1]
    )
    c = Convolution("forward", SHAPES, STRIDES, GEOMETRY, bias=False)
    assert len(alive) > 5
    del c
    gc.collect()
    assert not alive


def test_a_system_without_openmp_computes_without_onednn(monkeypatch):
    def fails():
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr(onednn, "library", fails)
    convolution.cache_clear()
    assert convolution("forward", SHAPES, STRIDES, GEOMETRY) is None
    convolution.cache_clear()
