"""Geometry of sliding windows."""

import numpy as np
import pytest

from edutorch.kernels import sliding_windows as w


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "padding", "dilation", "expected"),
    [
        ((28, 28), (5, 5), (1, 1), (0, 0), (1, 1), (24, 24)),
        ((7,), (3,), (2,), (1,), (1,), (4,)),
        ((7,), (3,), (1,), (0,), (3,), (1,)),
    ],
)
def test_conv_size_counts_windows(size, kernel, stride, padding, dilation, expected):
    assert w.conv_size(size, kernel, stride, padding, dilation) == expected


def test_pool_size_with_ceil_mode_counts_partial_windows_that_start_inside():
    one = ((1,), (1,))
    assert w.pool_size((5,), (2,), (2,), (0,), (1,), ceil_mode=True) == (3,)
    assert w.pool_size((5,), (2,), (2,), (0,), (1,), ceil_mode=False) == (2,)
    assert w.pool_size((1,), (2,), (2,), *one, ceil_mode=True) == (1,)


def test_batch_last_and_first_are_inverse():
    x = np.arange(24.0).reshape(2, 3, 4)
    y = w.batch_first(w.batch_last(x), x.dtype)
    assert np.array_equal(x, y)
    assert y.flags.c_contiguous


def test_batch_last_pads_with_zeros_and_widens_halves():
    y = w.batch_last(np.ones((1, 1, 2), np.float16), (1,))
    assert y.dtype == np.float32
    assert y[0, :, 0].tolist() == [0, 1, 1, 0]


def test_batch_last_of_batch_last_memory_copies_nothing():
    x = np.moveaxis(np.zeros((3, 4, 2)), -1, 0)
    assert np.shares_memory(w.batch_last(x), x)


def test_windows_are_views_of_the_input():
    x = np.arange(5.0).reshape(1, 5, 1)
    view = w.windows(x, (2,), (2,), (2,), (2,))
    assert view[0, :, :, 0].tolist() == [[0, 2], [2, 4]]
    assert np.shares_memory(view, x)


@pytest.mark.parametrize("most", [1, 2, 5, 6, 12, 100])
@pytest.mark.parametrize("out", [(7,), (3, 4), (2, 3, 4)])
def test_blocks_cover_every_position_once_in_memory_order(out, most):
    order = np.arange(np.prod(out)).reshape(out)
    parts = [order[block].reshape(-1) for block in w.blocks(out, most)]
    assert np.concatenate(parts).tolist() == list(range(order.size))
    assert all(len(p) <= max(most, 1) for p in parts)


@pytest.mark.parametrize("tap", [0, 1, 2])
def test_tap_slices_leave_the_padding_out(tap):
    (source,), (target,) = w.tap_slices((tap,), (4,), (3,), (2,), (1,), (1,))
    places = [(p, p * 2 - 1 + tap) for p in range(3) if 0 <= p * 2 - 1 + tap < 4]
    assert np.arange(3)[target].tolist() == [p for p, _ in places]
    assert np.arange(4)[source].tolist() == [i for _, i in places]


def test_planes_of_both_orders_hold_the_same_numbers():
    x = np.arange(24.0).reshape(2, 3, 4)
    last = np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 0, -1)), -1, 0)
    for array in (x, last):
        planes, shape = w.planes_first(array)
        assert np.array_equal(w.restore_planes(planes, shape), x)
        assert w.planes_like(x, array).shape == planes.shape


def test_accumulator_of_halves_is_float32():
    assert w.accumulator(np.float16) == np.float32
    assert w.accumulator(np.float64) == np.float64


def test_windows_when_they_would_reach_beyond_the_array_are_refused():
    x = np.zeros((1, 5, 1))
    assert w.windows(x, (3,), (3,), (1,), (1,)).shape == (1, 3, 3, 1)
    with pytest.raises(RuntimeError, match="Expected an input of size 6"):
        w.windows(x, (3,), (4,), (1,), (1,))


def test_add_windows_counts_how_often_a_cell_is_read():
    x = np.zeros((1, 5, 1))
    w.add_windows(x, np.ones((1, 3, 3, 1)), (1,), (0,), (1,))
    assert x[0, :, 0].tolist() == [1, 2, 3, 2, 1]
