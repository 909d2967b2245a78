"""Smooth activation layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Sigmoid()", (2, 3)),
    ("nn.LogSigmoid()", (2, 3)),
    ("nn.Tanh()", (2, 3)),
    ("nn.Tanhshrink()", (2, 3)),
    ("nn.Softsign()", (2, 3)),
    ("nn.Softplus()", (2, 3)),
    ("nn.Softplus(2, 1)", (2, 3)),
    ("nn.ELU(0.5)", (2, 3)),
    ("nn.CELU(0.7)", (2, 3)),
    ("nn.SELU()", (2, 3)),
    ("nn.GELU()", (2, 3)),
    ('nn.GELU("tanh")', (2, 3)),
    ("nn.SiLU()", (2, 3)),
    ("nn.Mish()", (2, 3)),
    ("nn.GLU()", (2, 4)),
    ("nn.GLU(0)", (2, 4)),
)
REFUSED = (
    ("nn.GLU()", (2, 3)),
    ('nn.GELU("x")', (2,)),
    ("nn.CELU(0)", (2,)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_smooth = programs.test()
