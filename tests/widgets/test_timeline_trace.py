"""A timeline's bars as spans of a trace."""

from __future__ import annotations

import edutorch as torch
from edutorch.inspect import TimelineRecorder
from edutorch.widgets.timeline_trace import trace_spans


def test_backward_span_has_the_arrow_of_its_op():
    x = torch.ones(2, requires_grad=True)
    with TimelineRecorder() as recorder:
        x.exp().sum().backward()
        x.log()  # has no backward yet
    spans = {span.name: span for span in trace_spans(recorder.series())}
    assert spans["aten::exp"].flow == spans["ExpBackward0"].flow > 0
    assert (spans["aten::exp"].arrives, spans["ExpBackward0"].arrives) == (False, True)
    assert spans["aten::log"].flow == 0
    assert "test_timeline_trace.py" in spans["aten::exp"].args["Line"]
