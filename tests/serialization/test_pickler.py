"""The pickles that are written: for Python's unpickler and our own."""

from __future__ import annotations

import io
import pickle
import re
from collections import Counter, OrderedDict
from pickle import PicklingError

import pytest

import edutorch as torch
from edutorch.serialization.default_globals import NAMES
from edutorch.serialization.pickler import Pickler
from edutorch.serialization.weights_only_unpickler import Unpickler


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    __hash__ = None


def again(value):
    return Unpickler(Pickler(value).program, NAMES, None).load()


VALUES = [
    None, True, False, 0, 255, 256, 65535, 65536, -1, 2**31, -(2**31), 2**63, 10**3000,
    1.5, -0.0, 2 + 3j, "", "text ü", "\ud800", b"", b"\x00\xff", bytearray(b"ab"), (),
    (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1, [2]], {}, {"a": {"b": 1}}, {1, 2},
    frozenset([1]), range(2, 9, 3), OrderedDict(b=1, a=2), Counter("abca"),
    list(range(2500)), dict.fromkeys(range(2500)), torch.float16, torch.device("cpu"),
    torch.Size([2, 3]), torch.strided,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda v: repr(v)[:20])
def test_value_written_is_read_again(value):
    python = isinstance(value, (frozenset, range)) or value == 10**3000
    found = pickle.loads(Pickler(value).program) if python else again(value)
    assert found == value
    assert type(found) is type(value)


def test_objects_met_twice_stay_one():
    text, inner = "x" * 50, [1]
    found = again([inner, inner, text, text])
    assert found[0] is found[1]
    assert Pickler([text, text]).program.count(text.encode()) == 1


def test_containers_inside_themselves_are_written():
    loop, pair = [], ([],)
    loop.append(loop)
    pair[0].append(pair)
    found, around = again([loop, pair])
    assert found[0] is found
    assert around[0][0] is around


def test_metadata_of_a_state_dictionary_is_written():
    state = OrderedDict(a=1)
    state._metadata = OrderedDict({"": {"version": 1}})
    assert again(state)._metadata == {"": {"version": 1}}


def test_objects_of_any_class_are_written_for_python():
    program = Pickler([Point(1), Point, len, re.compile("a+")]).program
    found = pickle.loads(program)
    assert found == [Point(1), Point, len, re.compile("a+")]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (lambda: 1, PicklingError),
        ((i for i in range(2)), TypeError),
    ],
)
def test_what_cannot_be_found_again_is_refused(value, error):
    with pytest.raises(error, match=r"[Cc]an(no|')t pickle"):
        Pickler(value)


@pytest.mark.parametrize("dtype", [torch.complex32, torch.uint16, torch.float8_e5m2])
def test_typed_storages_without_a_type_in_pytorch_are_refused(dtype):
    with pytest.raises(KeyError, match=f"dtype {dtype} is not recognized"):
        torch.save(torch.zeros(2, dtype=dtype).storage(), io.BytesIO())
