"""Normalisation layers without running statistics."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs, attempt

programs = Programs(__file__)

CASES = (
    ("nn.LayerNorm(4)", (3, 4)),
    ("nn.LayerNorm((2, 3), eps=1e-2)", (2, 2, 3)),
    ("nn.LayerNorm(5, elementwise_affine=False)", (3, 5)),
    ("nn.LayerNorm([5], bias=False)", (3, 5)),
    ("nn.RMSNorm(4)", (3, 4)),
    ("nn.RMSNorm((2, 2), eps=0.1, elementwise_affine=False)", (3, 2, 2)),
    ("nn.GroupNorm(2, 4)", (2, 4, 3)),
    ("nn.GroupNorm(1, 2, affine=False)", (2, 2)),
    ("nn.GroupNorm(2, 2, bias=False)", (2, 2, 3)),
    ("nn.LocalResponseNorm(2)", (2, 3, 4)),
    ("nn.LocalResponseNorm(3, 0.1, 0.5, 2.0)", (1, 4, 2, 2)),
)
REFUSED = (
    ("nn.GroupNorm(3, 4)",),
    ("nn.LayerNorm(4)", (3, 3)),
    ("nn.GroupNorm(2, 4)", (2, 3, 4)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def channels_are_neighbours_as_torch7_counted_them(torch):
    layers = [torch.nn.CrossMapLRN2d(3), torch.nn.CrossMapLRN2d(4, 2.0, 1, 0.5)]
    x = numbers(torch, 2, 6, 2, 2)
    wrong = attempt(lambda: layers[0](x[0]))
    return [[repr(m), m(x)] for m in layers] + [wrong]


@programs.add
def the_input_of_rms_norm_is_called_x(torch):
    return torch.nn.RMSNorm(2)(x=torch.tensor([1.0, 7.0]))


test_normalization = programs.test()
