"""The machine that reads pickles: what it may, and what it must not."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pickle import UnpicklingError

import pytest

from edutorch.serialization.weights_only_unpickler import Builder, Unpickler
from tests.serialization.forge import Ops, call, encode, name, program

NAMES = {
    ("collections", "OrderedDict"): Builder(OrderedDict, 0, 0),
    ("here", "pair"): Builder(lambda a, b: [a, b], 2, 2),
}


def load(data):
    return Unpickler(data, NAMES, lambda key: ("storage", key)).load()


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "value",
    [
        None, True, 7, -300, 70_000, 2**70, 1.5, "text ü", (), (1,), (1, 2, 3, 4), [],
        [1, [2, "x"]], {"a": {"b": None}}, {1: 2, (1, "k"): 3}, list(range(3000)),
    ],
)  # fmt: skip
def test_plain_values_of_pythons_pickles_are_read(value, protocol):
    assert load(pickle.dumps(value, protocol)) == value


def test_bytes_and_sets_of_later_protocols_are_read():
    value = [b"abc", {1, 2}, frozenset([3])]
    assert load(pickle.dumps(value, 4)) == value


def test_an_object_met_twice_stays_one():
    inner = [1]
    first, second = load(pickle.dumps([inner, inner], 2))
    assert first is second


def test_a_list_inside_itself_is_read():
    loop = []
    loop.append(loop)
    found = load(pickle.dumps(loop, 2))
    assert found[0] is found


def test_builder_on_the_list_is_called():
    assert load(program(call(name("here", "pair"), 1, "b"))) == [1, "b"]


def test_persistent_id_is_looked_up():
    assert load(program(Ops(encode(("s", 1)) + b"Q"))) == ("storage", ("s", 1))


def test_state_of_a_state_dictionary_is_kept():
    value = OrderedDict(a=1)
    value._metadata = OrderedDict(version=2)
    found = load(pickle.dumps(value, 2))
    assert found == {"a": 1}
    assert found._metadata == {"version": 2}


ORDERED = call(name("collections", "OrderedDict"))
PAIR = name("here", "pair")
REFUSED = {
    "name not on the list": program(name("os", "system")),
    "dotted name": b"\x80\x04\x8c\x0bcollections\x8c\x03a.b\x93.",
    "name from bytes": b"\x80\x04C\x02osC\x06system\x93.",
    "call of a list": program(Ops(b"])R")),
    "call with a list": program(Ops(PAIR + b"]R")),
    "wrong number of arguments": program(call(PAIR, 1)),
    "function as a value": program({"f": PAIR}),
    "function inside a list": program(Ops(b"](" + PAIR + b"e")),
    "attributes of a dictionary": program(Ops(ORDERED + encode({"keys": 1}) + b"b")),
    "attributes of a function": program(Ops(PAIR + encode({"x": 1}) + b"b")),
    "item of a tuple": program(Ops(b")K\x01K\x02s")),
    "append to a tuple": program(Ops(b")K\x01a")),
    "add to a list": b"\x80\x04](K\x01\x90.",
    "unhashable key": program(Ops(b"}]K\x01s")),
    "key without value": program(Ops(b"}(K\x01u")),
    "nothing on the stack": b"\x80\x02.",
    "pop from nothing": b"\x80\x020.",
    "pop below a mark": b"\x80\x02K\x01(\x85.",
    "no mark": b"\x80\x02}u.",
    "memo never set": b"\x80\x02h\x07.",
    "text too long": b"\x80\x02X\xff\xff\xff\x7fx.",
    "text of 2**62 bytes": b"\x80\x04\x8d" + (2**62).to_bytes(8, "little") + b"x.",
    "text not UTF-8": b"\x80\x02X\x01\x00\x00\x00\xff.",
    "name without end": b"\x80\x02c" + b"a" * 999,
    "unknown opcode": b"\x80\x02\xff.",
    "decimal integer": b"I9999\n.",
    "protocol 9": b"\x80\x09N.",
    "deep lists": b"\x80\x02" + b"]" * 5001 + b"a" * 5000 + b".",
    "deep tuples": b"\x80\x02)" + b"\x85" * 5000 + b".",
    "slow key": b"\x80\x02}" + b")" + b"q\x00h\x00\x86" * 40 + b"K\x01s.",
    "slow item of a set": b"\x80\x04\x8f()" + b"q\x00h\x00\x86" * 40 + b"\x90.",
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_program_that_must_not_run_is_refused(data):
    with pytest.raises(UnpicklingError):
        load(data)


@pytest.mark.parametrize("data", [b"", b"\x80\x02}"])
def test_program_without_an_end_is_the_end_of_the_file(data):
    with pytest.raises(EOFError):
        load(data)


def test_refused_name_is_told():
    with pytest.raises(UnpicklingError, match=r"Unsupported global: GLOBAL a\.b was"):
        load(program(name("a", "b")))
    with pytest.raises(UnpicklingError, match=r"GLOBAL os\.system whose module os is"):
        load(program(name("os", "system")))
