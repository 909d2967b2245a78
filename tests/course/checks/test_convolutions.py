from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.convolutions import (
    CONV_MISTAKES,
    CONV_SHOWN,
    SIZE_MISTAKES,
    SIZE_SHOWN,
    check_loops,
    check_own,
    check_whole,
    conv2d,
    fresh_conv,
    fresh_size,
    output_size,
)
from edutorch.course.trial import draws
from edutorch.nn import functional as F


def test_output_size_counts_windows_one_by_one():
    for n, k, stride, padding in [
        *SIZE_SHOWN,
        *map(fresh_size, draws(50, ("float32",))),
    ]:
        starts = range(0, n + 2 * padding - k + 1, stride)
        assert output_size(n, k, stride, padding) == len(starts)


def test_right_convolution_is_the_librarys():
    for x, w, stride, padding in [
        *CONV_SHOWN,
        *map(fresh_conv, draws(20, ("float32", "float64"))),
    ]:
        want = F.conv2d(x, w, stride=stride, padding=padding)
        got = conv2d(x, w, stride, padding)
        assert got.dtype == x.dtype
        assert np.allclose(got.numpy(), want.numpy(), atol=1e-5)


@pytest.mark.parametrize("words", CONV_MISTAKES)
def test_mistake_in_a_convolution_shows_in_two_of_the_cases(words):
    cases = [*CONV_SHOWN, *map(fresh_conv, draws(8, ("float32",)))]
    apart = 0
    for case in cases:
        want = conv2d(*case).numpy()
        try:
            got = CONV_MISTAKES[words](*case)
        except RuntimeError:  # as an answer with this mistake raises
            apart += 1
            continue
        apart += got.shape != want.shape or not np.allclose(got, want, atol=1e-4)
    assert apart >= 2


@pytest.mark.parametrize("words", SIZE_MISTAKES)
def test_mistake_in_a_size_shows_in_two_of_the_cases(words):
    made = SIZE_MISTAKES[words]
    assert sum(made(*case) != output_size(*case) for case in SIZE_SHOWN) >= 2


@pytest.mark.parametrize("size", [8.0, True, torch.tensor(8)])
def test_size_that_is_no_int_is_refused(size):
    with pytest.raises(CheckFailed, match="not an int"):
        check_whole(size, "output_size()")


def test_module_of_the_library_is_not_ones_own_convolution():
    def answer(x, w, stride, padding):
        k, c, u, v = w.shape
        module = torch.nn.Conv2d(c, k, (u, v), stride, padding, bias=False)
        module.weight.data = w
        return module(x)

    with pytest.raises(CheckFailed, match="conv2d was called"):
        check_own(answer, "conv2d_loops")
    check_own(conv2d, "conv2d_loops")


def test_loop_over_pixels_of_numpy_is_noticed():
    def pixels(x, w, stride, padding):
        array = x.numpy()[0, 0]
        return [float(array[i, j]) for i, j in np.ndindex(*array.shape)]

    with pytest.raises(CheckFailed, match="a larger image takes more steps"):
        check_loops(pixels)
    check_loops(conv2d)
