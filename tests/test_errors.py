"""Messages: first line PyTorch's, notes for the reader."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch
from edutorch.errors import OutOfMemoryError, describe, explain, operand_names


def test_describe_says_shape_dtype_and_device():
    assert describe(torch.ones(2, 3)) == "shape (2, 3), float32, cpu"
    assert describe(5) == "5"
    assert len(describe("x" * 500)) <= 60


def test_operands_are_named_as_the_caller_wrote_them():
    class Holder:
        pass

    holder = Holder()
    holder.weight = torch.ones(3)
    with pytest.raises(RuntimeError) as caught:
        holder.weight + torch.ones(2)
    assert any("`holder.weight`" in note for note in caught.value.__notes__)


def test_names_are_found_without_running_anything_again():
    calls = []

    def make():
        calls.append(1)
        return torch.ones(2)

    with pytest.raises(RuntimeError):
        make() + torch.ones(3)
    assert calls == [1]


def test_module_path_is_named_when_somebody_watches():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2))
    with torch.inspect.record(), pytest.raises(RuntimeError) as caught:
        model(torch.ones(1, 5))
    assert any("in module: 0" in note for note in caught.value.__notes__)


def test_explain_adds_op_operands_and_hint():
    error = explain(ValueError("first line"), "Op", [torch.ones(1)], hint="try this")
    notes = "\n".join(error.__notes__)
    assert "op: Op" in notes and "hint: try this" in notes
    assert str(error) == "first line"


def test_out_of_memory_is_a_runtime_error():
    assert issubclass(OutOfMemoryError, RuntimeError)
    assert torch.cuda.OutOfMemoryError is OutOfMemoryError


def test_operand_names_of_unknown_values_are_empty():
    assert operand_names([object()]) == [""]


def test_an_error_keeps_no_tensor_alive():
    def fail():
        x = torch.ones(3)
        seen = weakref.ref(x)
        with pytest.raises(RuntimeError):
            x + torch.ones(2)
        del x
        gc.collect()
        return seen()

    assert fail() is None
