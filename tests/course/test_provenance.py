"""What made a wrong tensor."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events
from edutorch.course import check
from edutorch.course.failure import CheckFailed
from edutorch.course.provenance import Provenance
from edutorch.inspect import GraphRecorder


def standardize(x):
    centred = x - x.mean()
    return centred / x.var()


def test_origins_name_op_and_line_of_what_was_made_inside():
    before = torch.ones(1) * 2
    with Provenance() as provenance:
        made = torch.ones(2) * 3
    assert provenance.of(made._tensor_id).startswith("mul, ")
    assert provenance.of(made._tensor_id).endswith(": made = torch.ones(2) * 3")
    assert provenance.of(before._tensor_id) == provenance.of(0) == ""
    assert events.active == ()


def test_origin_without_readable_code_is_none():
    with Provenance() as provenance:
        made = eval("torch.ones(2) * 3")
    assert provenance.of(made._tensor_id) == ""


def test_check_that_fails_tells_the_line_and_marks_the_op_in_a_graph():
    with GraphRecorder() as graph:
        with pytest.raises(CheckFailed) as failure:
            check("01.5", standardize)
        (guilty,) = [n for n in graph.snapshot()["nodes"] if n["error"]]
    assert failure.value.made.startswith("div, ")
    assert "made by   div, " in str(failure.value)
    assert str(failure.value).count("return centred / x.var()") == 1
    assert guilty["name"] == "div"
    assert guilty["error"].startswith("check 01.5: the value is not right")


def test_result_that_the_check_itself_has_copied_has_no_line():
    def sum_to(g, shape):
        return g

    with pytest.raises(CheckFailed) as failure:
        check("03.3", sum_to)
    assert failure.value.made == ""


def test_result_that_the_answer_made_has_its_line():
    def sum_to(g, shape):
        return g.reshape(-1, *shape).sum(0)

    with pytest.raises(CheckFailed) as failure:
        check("03.3", sum_to)
    assert failure.value.made.endswith("return g.reshape(-1, *shape).sum(0)")
