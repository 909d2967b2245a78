"""Nested tensors in files."""

from __future__ import annotations

import copy
import io
import pickle
from pickle import UnpicklingError

import pytest

import edutorch as torch
from edutorch.serialization.nested import nested_parts, nested_tensor

pytestmark = pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")


def made(t, layout="strided"):
    parts = [t.ones(2, 3), t.zeros(1, 3)]
    return t.nested.nested_tensor(parts, layout=getattr(t, layout))


def values(x):
    return [part.tolist() for part in x.unbind()]


@pytest.mark.parametrize("stream", [False, True])
def test_files_are_exchanged_with_pytorch(stream):
    from tests.oracle import torch as oracle

    pairs = [(torch, torch), (oracle, torch)]
    # PyTorch looks at the sizes before its older files give them.
    for one, other in pairs if stream else [*pairs, (torch, oracle)]:
        file = io.BytesIO()
        one.save(made(one), file, _use_new_zipfile_serialization=not stream)
        file.seek(0)
        assert values(other.load(file)) == values(made(one))


@pytest.mark.parametrize("layout", ["strided", "jagged"])
def test_nested_tensors_are_pickled_and_copied(layout):
    x = made(torch, layout)
    for same in (copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))):
        assert values(same(x)) == values(x)
        assert same(x).layout is x.layout


def test_parts_beyond_the_elements_are_refused():
    values, sizes, strides, offsets = nested_parts(made(torch))
    for lie in (
        (values, sizes + 5, strides, offsets),
        (values, sizes, strides * 1000, offsets),
        (values, sizes, strides, offsets + 10**6),
        (values, sizes, strides, offsets[:1]),
        (values, sizes, strides, -offsets),
        (values, sizes, strides, 5),
    ):
        with pytest.raises(UnpicklingError):
            nested_tensor(*lie)
