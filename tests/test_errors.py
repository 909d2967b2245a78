"""Messages: first line PyTorch's, notes for the reader."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch
from edutorch.errors import (
    OutOfMemoryError,
    describe,
    explain,
    operand_names,
    raise_if,
)
from edutorch.nn import functional as F
from tests.freed_operands import freed_after


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


def test_raise_if_without_an_error_does_nothing():
    raise_if(None)


def test_raise_if_keeps_neither_the_error_nor_its_caller():
    with pytest.raises(ValueError, match="wrong") as caught:
        raise_if(ValueError("wrong"))
    frames = [entry.tb_frame for entry in _entries(caught.value.__traceback__)]
    assert "error" not in frames[-1].f_locals


def _entries(traceback):
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


SEVEN, NINTH = torch.ones(7), torch.tensor([9])


@pytest.mark.parametrize(
    "fails",
    [
        lambda x: torch.broadcast_tensors(x, SEVEN),
        lambda x: torch.ones(2).copy_(x),
        lambda x: x.detach().copy_(SEVEN),
        lambda x: x.masked_fill(SEVEN > 0, 0),
        lambda x: x.masked_select(SEVEN > 0),
        lambda x: x[torch.ones(0, dtype=torch.bool)],
        lambda x: torch.take_along_dim(x, torch.zeros(7, 1, dtype=torch.int64), 1),
        lambda x: x[NINTH],
        lambda x: x[[0, 0], [0, 0, 0]],
        lambda x: x.index_put((NINTH,), torch.ones(1)),
        lambda x: x.index_put((torch.tensor([0]),), SEVEN),
        lambda x: x.clone().__setitem__(NINTH, 1.0),
        lambda x: torch.normal(x.detach(), SEVEN, out=x.detach()),
        lambda x: F.mse_loss(x, torch.ones(3, 7)),
        lambda x: F.soft_margin_loss(x, SEVEN),
        lambda x: F.linear(x, torch.ones(2, 7)),
        lambda x: x + "a",
        lambda x: x.sum().backward(torch.ones(3)),
    ],
)
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_operands_die_when_an_operation_has_failed(fails):
    assert freed_after(fails)
