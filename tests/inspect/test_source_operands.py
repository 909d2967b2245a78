"""Names of operands, found in the program's source."""

from __future__ import annotations

import sys

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.inspect.source_operands import (
    line_of,
    operator_tensors,
    source_names,
)


def failure(program):
    """The frame of a program that fails, its instruction, and what it called."""
    with pytest.raises((RuntimeError, TypeError)) as caught:
        program()
    entry = (
        caught.value.__traceback__.tb_next.tb_next or caught.value.__traceback__.tb_next
    )
    if entry.tb_frame.f_code is not program.__code__:
        entry = caught.value.__traceback__.tb_next
    inner = entry.tb_next
    return entry.tb_frame, entry.tb_lasti, inner and inner.tb_frame


def names_of(program):
    frame, at, callee = failure(program)
    return set(source_names(frame, at, callee).values())


def test_variables_attributes_and_expressions_have_names():
    x, weights = torch.ones(2, 3), [torch.ones(4)]
    assert {"x", "weights[0]"} <= names_of(lambda: x + weights[0])
    assert {"x", "weights[0]"} <= names_of(lambda: x.add(other=weights[0]))
    assert {"x.t()", "x[:1]"} <= names_of(lambda: torch.cat([x.t(), x[:1]]))


def test_parameters_of_a_called_module_are_named_after_it():
    holder = nn.Module()
    holder.net = nn.Sequential(nn.Linear(5, 2))
    x = torch.ones(2, 3)
    found = names_of(lambda: holder.net(x))
    assert {"x", "holder.net[0].weight", "holder.net[0].bias"} <= found


def test_arguments_of_python_s_own_functions_are_not_the_op_s():
    x = torch.ones(2)
    assert names_of(lambda: setattr(x, "grad", torch.ones(3))) <= {
        "torch",
        "torch.ones",
        "x",
    }
    assert "[x.exp(), torch.ones(3)]" not in names_of(
        lambda: sum([x.exp(), torch.ones(3)])
    )


def test_long_expression_is_clipped():
    x = torch.ones(2, 3)
    long = names_of(
        lambda: (
            x + torch.ones(4, dtype=torch.float32, requires_grad=False, device="cpu")
        )
    )
    assert max(map(len, long)) == 60


def test_operator_gives_its_name_and_tensors():
    x = torch.ones(2)
    frame, at, _ = failure(lambda: x * "text")
    op, (tensor,) = operator_tensors(frame, at)
    assert op == "mult"
    assert tensor is x


def test_line_is_as_views_show_it():
    frame = sys._getframe()
    found = line_of(frame, frame.f_lineno - 1)
    assert found["text"] == "frame = sys._getframe()"
    assert found["func"] == "test_line_is_as_views_show_it"
