"""Explanations of messages about ranges, dtypes, devices and changes."""

from __future__ import annotations

import pytest

from edutorch.inspect.message_rules import devices, dtypes, out_of_range
from edutorch.inspect.mismatch import FailedCall, Operand


def call(message, *operands, op="op", **attributes):
    made = [Operand(role, shape, dtype, at) for role, shape, dtype, at in operands]
    return FailedCall(op, made, message, attributes)


X = ("input", (4, 10), "float32", "cpu")
GPU = ("other", (4, 10), "float32", "cuda:0")


def test_device_of_the_minority_is_wrong():
    found = devices(call("expected the same device", X, X, GPU))
    assert found.wrong == {2: "device"}
    assert found.rule == "devices must be the same: cpu and cuda:0"
    assert devices(call("something else", X, GPU)).wrong == {}


def test_dtype_that_differs_is_wrong():
    half = ("other", (10,), "float16", "cpu")
    assert dtypes(call("must have the same dtype", X, half)).wrong == {
        0: "dtype",
        1: "dtype",
    }
    assert dtypes(call("sizes differ", X, half)).wrong == {}
    assert dtypes(call("\"exp\" not implemented for 'Bool'", X)).wrong == {0: "dtype"}


@pytest.mark.parametrize(
    ("message", "marked", "rule"),
    [
        (
            "index 12 is out of bounds for dimension 1 with size 10",
            {0: {1}},
            "index 12 is outside dimension 1, which has size 10",
        ),
        ("Target 11 is out of bounds.", {0: {1}}, "classes go from 0 to 9; 11 is outside"),
        ("index out of range in self", {0: {0}}, "indices go from 0 to 3"),
        (
            "input.size(-1) must be equal to input_size. Expected 8, got 10",
            {0: {1}},
            "the last size must be 8, not 10",
        ),
        (
            "grad can be implicitly created only for scalar outputs",
            {0: {0, 1}},
            "backward() starts at a single number",
        ),
        ("nothing that is known", {}, ""),
    ],
)  # fmt: skip
def test_places_that_messages_name_are_marked(message, marked, rule):
    found = out_of_range(call(message, X))
    assert (found.marked, found.rule) == (marked, rule)


def test_version_of_a_changed_tensor_is_told():
    found = out_of_range(call("[3] is at version 2; expected version 0 instead", X))
    assert found.wrong == {0: "version"}
    assert "version 2, saved was 0" in found.rule


def test_index_of_another_tensor_is_not_marked():
    found = out_of_range(
        call("index 9 is out of bounds for dimension 0 with size 7", X)
    )
    assert found.marked == {}
