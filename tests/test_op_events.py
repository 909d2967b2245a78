"""Records of operations: their fields, and nodes of a backward pass."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events, op_events


def test_op_record_has_the_fields_of_the_schema(seen):
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2  # the line to be found
    (record,) = [r for r in seen if r[0] == "op" and r[6] == "mul"]
    fields = events.as_dict(record)
    assert fields["v"] == events.SCHEMA
    assert fields["cls"] == "Mul" and fields["phase"] == "forward"
    assert fields["outputs"] == (y._tensor_id,) and x._tensor_id in fields["inputs"]
    assert fields["node"] == y.grad_fn.seq
    assert tuple(fields["shape"]) == (2, 3) and fields["dtype"] == "float32"
    where = events.source(fields["src"])
    assert where.file == __file__ and where.func.endswith("schema")


def test_backward_names_the_node_of_its_forward(seen):
    x = torch.ones(1, requires_grad=True)
    y = x.exp()
    y.backward()
    forward = next(events.as_dict(r) for r in seen if r[0] == "op" and r[6] == "exp")
    backward = [events.as_dict(r) for r in seen if r[0] == "bwd"]
    assert [b["name"] for b in backward] == ["ExpBackward0", "AccumulateGrad"]
    assert backward[0]["node"] == forward["node"]
    assert backward[1]["target"] == x._tensor_id


def test_failing_op_is_reported_before_the_exception(seen):
    with pytest.raises(RuntimeError):
        torch.ones(2) + torch.ones(3)
    failed = [events.as_dict(r) for r in seen if r[0] == "op" and r[-1]]
    assert failed[0]["name"] == "add" and "must match" in failed[0]["error"]


def test_function_is_reported_under_another_name_also_if_it_fails():
    @op_events.reported_as("other")
    def function(x):
        return 1 / x

    with torch.profiler.profile() as prof:
        assert function(2) == 0.5
        with pytest.raises(ZeroDivisionError):
            function(0)
    assert [event.name for event in prof.events()] == ["aten::other"] * 2
    assert function.__name__ == "function"
