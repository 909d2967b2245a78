"""Softmax layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Softmax(dim=1)", (2, 3)),
    ("nn.Softmax(0)", (2, 3)),
    ("nn.LogSoftmax(-1)", (2, 3)),
    ("nn.Softmin(1)", (2, 3)),
    ("nn.Softmax2d()", (1, 3, 2, 2)),
    ("nn.Softmax2d()", (3, 2, 2)),
)
REFUSED = (
    ("nn.Softmax(3)", (2, 3)),
    ("nn.Softmax2d()", (2, 3)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_softmax = programs.test()
