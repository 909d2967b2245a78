"""Captured graphs are refused."""

from __future__ import annotations

import pytest

import edutorch as torch


@pytest.mark.parametrize(
    "call",
    [
        torch.cuda.CUDAGraph,
        lambda: torch.cuda.graph(None),
        torch.cuda.graph_pool_handle,
        lambda: torch.cuda.make_graphed_callables(abs, ()),
    ],
)
def test_graphs_are_refused(call):
    with pytest.raises(RuntimeError, match="Tried to instantiate dummy base class"):
        call()


def test_nothing_is_captured():
    with torch.cuda.simulate():
        assert torch.cuda.is_current_stream_capturing() is False
