"""Columns and images."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Unfold(2)", (1, 2, 3, 3)),
    ("nn.Unfold((2, 1), stride=2, padding=1, dilation=1)", (2, 1, 3, 4)),
    ("nn.Fold((3, 3), 2)", (1, 4, 4)),
    ("nn.Fold(4, kernel_size=2, stride=2)", (2, 4, 4)),
)
REFUSED = (
    ("nn.Fold(3, 2)", (1, 4, 3)),
    ("nn.Unfold(5)", (1, 1, 3, 3)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_fold = programs.test()
