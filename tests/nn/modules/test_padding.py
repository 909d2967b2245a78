"""Padding layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.ConstantPad1d(1, 0.5)", (1, 2, 3)),
    ("nn.ConstantPad2d((1, 0, 2, 1), -1)", (1, 2, 2)),
    ("nn.ConstantPad3d(1, 2)", (1, 1, 1, 2, 2)),
    ("nn.ZeroPad1d((0, 2))", (2, 3)),
    ("nn.ZeroPad2d(1)", (1, 1, 2, 2)),
    ("nn.ZeroPad3d(1)", (1, 1, 1, 1, 2)),
    ("nn.ReflectionPad1d(2)", (1, 2, 4)),
    ("nn.ReflectionPad2d((1, 2, 0, 1))", (1, 1, 3, 3)),
    ("nn.ReflectionPad3d(1)", (1, 1, 2, 2, 2)),
    ("nn.ReplicationPad1d((1, 2))", (1, 2, 3)),
    ("nn.ReplicationPad2d(1)", (1, 1, 2, 2)),
    ("nn.ReplicationPad3d(1)", (1, 1, 1, 2, 2)),
    ("nn.CircularPad1d(2)", (1, 1, 3)),
    ("nn.CircularPad2d((1, 0, 0, 1))", (1, 1, 2, 3)),
    ("nn.CircularPad3d(1)", (1, 1, 2, 2, 2)),
)
REFUSED = (
    ("nn.ReflectionPad1d(4)", (1, 2, 4)),
    ("nn.CircularPad1d(1)", (3,)),
    ("nn.CircularPad2d(4)", (1, 1, 2, 2)),
    ("nn.ReplicationPad2d(1)", (2,)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def zeros_are_a_constant(torch):
    nn = torch.nn
    m = nn.ZeroPad2d(1)
    return [isinstance(m, nn.ConstantPad2d), isinstance(m, nn.ConstantPad1d), m.value]


test_padding = programs.test()
