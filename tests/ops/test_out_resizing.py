"""The shapes that the warning of a resized `out=` names."""

import warnings

import pytest

import edutorch
from edutorch.ops.out_resizing import resizes_by_method, resizes_quietly
from tests.oracle import torch

CASES = [
    "torch.kthvalue(x, 1, out=(z(2, 1), i(0)))",
    "torch.kthvalue(x, 1, out=(z(3), i(0)))",
    "torch.kthvalue(x, 1, 0, out=(z(3, 3), i(3)))",
    "torch.kthvalue(x, 1, 1, True, out=(z(3), i(2, 1)))",
    "torch.kthvalue(x[0], 1, out=(z(1), i(1)))",
    "torch.mode(x, out=(z(2, 1), i(2, 1)))",
    "torch.mode(x, 0, out=(z(3, 3), i(3)))",
    "torch.mode(x[0], out=(z(3), i(1)))",
    "torch.mode(x[0, 0], out=(z(3), i(1)))",
    "torch.mode(x[:0], 1, out=(z(3), i(0)))",
    "torch.median(x, 0, out=(z(3, 3), i(3)))",
    "torch.histogram(x[0], 2, out=(z(3, 3), z(7)))",
    "torch.cummax(x, 0, out=(x[1:], i(3)))",
]


REFUSED = [
    "torch.sort(x, out=(z(3), z(2, 3)))",
    "torch.topk(x, 1, out=(x[1:], i(3)))",
    "torch.max(x, 1, out=(x[1:], i(3)))",
    "torch.median(x, 1, out=(x[1:], i(3)))",
]


def test_functions_differ_in_how_they_resize():
    assert resizes_quietly("zeros") and not resizes_quietly("exp")
    assert resizes_by_method("randn") and not resizes_by_method("exp")


def _told(library, call):
    names = {
        "torch": library,
        "x": library.arange(6.0).reshape(2, 3),
        "z": library.zeros,
        "i": lambda *n: library.zeros(n, dtype=library.int64),
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            results = eval(call, names)  # the cases above
        except RuntimeError as error:
            return str(error), []
    shapes = [str(w.message).partition(". This")[0] for w in caught]
    return shapes, [tuple(t.shape) for t in results]


@pytest.mark.parametrize("call", CASES)
def test_reduced_dimension_is_in_the_shapes_that_are_compared(call):
    got = _told(edutorch, call)
    assert len(got[1]) == 2
    if torch is not None:
        assert got == _told(torch, call)


@pytest.mark.parametrize("call", REFUSED)
def test_errors_of_dtypes_and_memory_come_before_warnings(call):
    got = _told(edutorch, call)
    assert got[0].startswith(("Expected out tensor", "unsupported operation"))
    if torch is not None:
        assert got == _told(torch, call)
