"""Linear layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Linear(3, 2)", (4, 3)),
    ("nn.Linear(3, 2, bias=False)", (2, 4, 3)),
    ("nn.Linear(3, 2)", (3,)),
    ("nn.Identity(3, x=1)", (2,)),
    ("nn.Bilinear(2, 3, 4)", (5, 2), (5, 3)),
    ("nn.Bilinear(2, 3, 1, bias=False)", (2, 5, 2), (2, 5, 3)),
)
REFUSED = (
    ("nn.Linear(3, 2)", (4, 2)),
    ("nn.Bilinear(0, 1, 1)",),
    ("nn.Bilinear(2, 3, 1)", (5, 2), (4, 3)),
    ("nn.Linear(3)",),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_linear = programs.test()
