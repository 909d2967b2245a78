from __future__ import annotations

import textwrap

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch09_convolutions import (
    CONV_MISTAKES,
    CONV_SHOWN,
    check_loops,
    check_own,
    conv2d,
    fresh_conv,
)
from edutorch.course.random_cases import draws
from edutorch.nn import functional as F


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


def test_loops_of_python_are_not_an_answers():
    def answer(x, w, stride=1, padding=0):
        textwrap.fill("pixel " * x.shape[2] ** 2)
        return conv2d(x, w, stride, padding)

    check_loops(answer)
