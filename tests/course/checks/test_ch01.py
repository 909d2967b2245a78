from __future__ import annotations

from math import prod

import numpy as np
import pytest

import edutorch as torch
from edutorch.course import check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch01

SOLUTIONS = {
    "01.1": ch01.strides_of,
    "01.2": ch01.broadcast_shape,
    "01.3": ch01.same_buffer,
    "01.4": ch01.windows,
    "01.5": ch01.standardize,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def bytes_not_elements(shape):
    return tuple(4 * s for s in ch01.strides_of(shape))


def column_order(shape):
    return tuple(prod(shape[:d]) for d in range(len(shape)))


def own_size_too(shape):
    return tuple(prod(shape[d:]) for d in range(len(shape)))


def reversed_strides(shape):
    return ch01.strides_of(shape)[::-1]


def lined_up_left(a, b):
    longest = max(len(a), len(b))
    a, b = (tuple(s) + (1,) * (longest - len(s)) for s in (a, b))
    return tuple(max(p, q) for p, q in zip(a, b, strict=True))


def largest(a, b):
    ch01.broadcast_shape(a, b)
    longest = max(len(a), len(b))
    a, b = ((1,) * (longest - len(s)) + tuple(s) for s in (a, b))
    return tuple(max(p, q) for p, q in zip(a, b, strict=True))


def never_raises(a, b):
    try:
        return ch01.broadcast_shape(a, b)
    except ValueError:
        return a


def same_first_address(a, b):
    return a.data_ptr() == b.data_ptr()


def overlapping(a, b):
    return np.shares_memory(a.numpy(), b.numpy())


def always(a, b):
    return True


def copied_windows(x, k):
    return ch01.windows(x, k).clone()


def contiguous_windows(x, k):
    h, w = x.shape
    size = (h - k + 1, w - k + 1, k, k)
    return torch.as_strided(x, size, (w, 1, w, 1))


def swapped_strides(x, k):
    h, w = x.shape
    size = (h - k + 1, w - k + 1, k, k)
    return torch.as_strided(x, size, x.stride()[::-1] * 2)


def in_place(x):
    x -= x.mean()
    x /= x.std()
    return x


def by_variance(x):
    return (x - x.mean()) / x.var()


WRONG = [
    ("01.1", bytes_not_elements, "elements, not bytes"),
    ("01.1", column_order, "column order"),
    ("01.1", own_size_too, "own size"),
    ("01.1", reversed_strides, "reverse order"),
    ("01.1", lambda shape: list(shape)[:-1], "the length is not right"),
    ("01.1", (12, 4, 1), "without ( )"),
    ("01.2", lined_up_left, "align them on the right"),
    ("01.2", largest, "may be 0"),
    ("01.2", never_raises, "did not raise"),
    ("01.3", same_first_address, "data_ptr() is where"),
    ("01.3", overlapping, "different elements of one buffer"),
    ("01.3", always, "whatever the tensors"),
    ("01.3", lambda a, b: a is b, "a view is a new object"),
    ("01.4", copied_windows, "they were copied"),
    ("01.4", contiguous_windows, "need not be contiguous"),
    ("01.4", swapped_strides, "wrong order"),
    ("01.5", in_place, "changed in place"),
    ("01.5", by_variance, "variance"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
