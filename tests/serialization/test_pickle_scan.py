"""What a pickle names and refers to, without building anything."""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict

import pytest

from edutorch.serialization.errors import NotAllowedError
from edutorch.serialization.pickle_scan import Named, Window, scan_pickle
from tests.serialization.forge import Ops, call, name, persistent, program, tensor

STORAGE = ("storage", Named("torch", "FloatStorage"), "0", "cpu", 6)


def of(data):
    return scan_pickle(Window(io.BytesIO(data)))


def test_names_and_references_are_found():
    found = of(program({"w": tensor(), "twice": [1, tensor(key="1")][1]}))
    assert found.references == [STORAGE, (*STORAGE[:2], "1", *STORAGE[3:])]
    assert found.names[:2] == [Named("torch._utils", "_rebuild_tensor_v2"), STORAGE[1]]


def test_program_ends_where_the_pickle_ends():
    file = io.BytesIO(b"before" + pickle.dumps([1, {"a": 2}], 2) + b"behind")
    file.seek(6)
    found = scan_pickle(Window(file))
    assert pickle.loads(found.program) == [1, {"a": 2}]
    assert file.read() == b"behind"


class Anything:
    def __init__(self):
        self.text = "t"


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_of_all_protocols_are_gone_through(protocol):
    value = [Anything(), OrderedDict(a=(1, 2.5, None)), {3, 4}, b"x", bytearray(b"y"),
             frozenset([1]), 2**70, "\u20ac", True, (), (1,), [[]]]  # fmt: skip
    data = pickle.dumps(value, protocol)
    found = of(data)
    assert found.program == data
    assert any(n.name == "Anything" for n in found.names)


def test_memo_is_followed():
    key = Ops(b"X\x01\x00\x00\x000q\x05")
    kind = Ops(name("torch", "FloatStorage") + b"q\x06")
    both = (persistent("storage", kind, key, "cpu", 6),
            persistent("storage", Ops(b"h\x06"), Ops(b"h\x05"), "cpu", 6))  # fmt: skip
    assert of(program(both)).references == [STORAGE, STORAGE]


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02\xff.", b"\x80\x02u.", b"\x80\x02(u.", b"\x80\x02h\x07.",
        b"\x80\x02X\xff\xff\xff\x7fx.", b"\x80\x04\x8d" + b"\xff" * 7 + b"\x00x.",
        b"\x80\x02K\x01\x86.", b"\x80\x02Np9999999999999\n.", b"\x80\x02Q.",
    ],
)  # fmt: skip
def test_file_that_is_not_a_pickle_is_refused(data):
    with pytest.raises(NotAllowedError):
        of(data)


@pytest.mark.parametrize("data", [b"", b"\x80\x02", program(call(name("a", "b")))[:-1]])
def test_what_has_no_end_is_the_end_of_the_file(data):
    with pytest.raises(EOFError, match="Ran out of input"):
        of(data)
