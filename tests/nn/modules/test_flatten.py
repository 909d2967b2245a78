"""Layers that change shapes."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Flatten()", (2, 3, 4)),
    ("nn.Flatten(0, 1)", (2, 3, 4)),
    ("nn.Unflatten(1, (3, 2))", (2, 6)),
    ("nn.Unflatten(1, [3, -1])", (2, 6)),
)
REFUSED = (
    ("nn.Unflatten(1, (4, 2))", (2, 6)),
    ("nn.Unflatten(1, 3)",),
    ('nn.Unflatten(1, (2, "a"))',),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_flatten = programs.test()
