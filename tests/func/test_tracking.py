"""Inputs that transforms differentiate by."""

from __future__ import annotations

import edutorch as torch
from edutorch.func.tracking import Tracked, pull


def test_only_what_comes_from_outside_is_recorded():
    tracked = Tracked((torch.ones(2),))
    (x,) = tracked.tree
    w = torch.ones(2, requires_grad=True)
    assert not tracked.wanted([x * 2])
    assert tracked.wanted([x * w])
    with torch.no_grad():
        assert not tracked.wanted([x * w])


def test_results_are_released_without_the_graph():
    tracked = Tracked((torch.ones(2),))
    (x,) = tracked.tree
    released = tracked.release({"y": x * 2, "n": 3})
    assert not released["y"].requires_grad
    assert released["n"] == 3


def test_a_pass_back_gives_zeros_where_nothing_comes():
    tracked = Tracked((torch.ones(2), torch.ones(3)))
    x, _ = tracked.tree
    found = pull(
        tracked, [(x * 3).sum()], tracked.values, [torch.ones(())], create=False
    )
    assert [g.tolist() for g in found] == [[3.0, 3.0], [0.0, 0.0, 0.0]]
