"""Where a NaN came from; through `record()` in test_recording.py."""

from __future__ import annotations

import math

import edutorch as torch
from edutorch.inspect import first_nonfinite, record


def test_first_nonfinite_when_all_is_finite_is_none():
    with record(level=2) as r:
        torch.ones(3) * 2
    assert first_nonfinite(r.events) is None


def test_first_nonfinite_when_two_ops_are_bad_is_the_first():
    with record(level=2) as r:
        x = torch.zeros(2)
        (x.masked_fill(x < 1, math.inf) * 2).sum()
    assert first_nonfinite(r.events)["name"] == "masked_fill"
