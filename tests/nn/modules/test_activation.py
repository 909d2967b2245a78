"""Activation layers with straight pieces."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.ReLU()", (2, 3)),
    ("nn.ReLU(inplace=False)", (2, 3)),
    ("nn.ReLU6()", (3, 3)),
    ("nn.LeakyReLU(0.2)", (2, 3)),
    ("nn.PReLU()", (2, 3)),
    ("nn.PReLU(3, init=0.1)", (2, 3, 2)),
    ("nn.Threshold(0.1, 20)", (2, 3)),
    ("nn.Hardtanh()", (2, 3)),
    ("nn.Hardtanh(-0.5, 0.7)", (2, 3)),
    ("nn.Hardsigmoid()", (2, 3)),
    ("nn.Hardswish()", (2, 3)),
    ("nn.Hardshrink()", (2, 3)),
    ("nn.Hardshrink(0.2)", (2, 3)),
    ("nn.Softshrink(0.3)", (2, 3)),
    ("nn.RReLU(0.25, 0.25)", (2, 3)),
    ("nn.RReLU(inplace=False).eval()", (2, 3)),
)
REFUSED = (
    ("nn.Softshrink(-1)", (2,)),
    ("nn.Hardtanh(1, 0)",),
    ("nn.RReLU(0.5, 0.1)", (2,)),
    ("nn.PReLU(2)", (2, 3)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def relu6_is_a_hardtanh(torch):
    m = torch.nn.ReLU6()
    return [isinstance(m, torch.nn.Hardtanh), m.min_val, m.max_val, repr(m)]


@programs.add
def the_file_has_all_activations(torch):
    module = torch.nn.modules.activation
    names = "Sigmoid", "GELU", "Softmax", "LogSoftmax", "MultiheadAttention"
    return [getattr(module, name).__name__ for name in names]


test_activation = programs.test()
