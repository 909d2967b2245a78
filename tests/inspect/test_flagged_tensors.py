"""Marks on what somebody found wrong."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.inspect import GraphRecorder
from edutorch.inspect.flagged_tensors import flag


def errors(graph):
    nodes = graph.snapshot()["nodes"]
    return {n["name"]: n["error"] for n in nodes if n["kind"] == "op"}


def test_flag_when_set_marks_the_op_in_graphs_taken_before_until_it_is_lifted():
    with GraphRecorder() as graph:
        y = torch.ones(2) * 3
        (y + 1).sum()
        graph.snapshot()
        flag(y._tensor_id, "check 01.5: not right")
        assert errors(graph) == {"mul": "check 01.5: not right", "add": "", "sum": ""}
        flag(0, "")
        assert set(errors(graph).values()) == {""}


def test_snapshot_when_an_op_failed_tells_why_and_what_it_was_given():
    x, y = torch.ones(2, 3), torch.ones(2, 3)
    with GraphRecorder() as graph:
        with pytest.raises(RuntimeError):
            x @ y
        data = graph.snapshot()
    assert errors(graph)["matmul"].startswith("RuntimeError: mat1 and mat2 shapes")
    assert [n["shape"] for n in data["nodes"] if n["kind"] == "input"] == [[2, 3]] * 2
