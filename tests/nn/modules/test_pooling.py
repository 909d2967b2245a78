"""Pooling layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.MaxPool1d(2)", (1, 2, 6)),
    ("nn.MaxPool1d(3, stride=2, padding=1, ceil_mode=True)", (2, 6)),
    ("nn.MaxPool2d(2)", (1, 2, 4, 4)),
    ("nn.MaxPool2d((2, 1), dilation=2)", (1, 1, 5, 4)),
    ("nn.MaxPool2d(2, return_indices=True)", (1, 1, 4, 4)),
    ("nn.MaxPool3d(2)", (1, 1, 2, 4, 2)),
    ("nn.AvgPool1d(2)", (1, 2, 6)),
    ("nn.AvgPool1d(3, 2, 1, count_include_pad=False)", (1, 1, 6)),
    ("nn.AvgPool2d(2)", (1, 2, 4, 4)),
    ("nn.AvgPool2d(3, 2, 1, True, False, divisor_override=2)", (1, 1, 5, 5)),
    ("nn.AvgPool3d(2)", (1, 1, 2, 2, 4)),
    ("nn.LPPool1d(2, 3)", (1, 1, 7)),
    ("nn.LPPool2d(3, 2, stride=1)", (1, 1, 3, 3)),
    ("nn.LPPool3d(2, 2)", (1, 1, 2, 2, 2)),
    ("nn.AdaptiveMaxPool1d(3)", (1, 2, 7)),
    ("nn.AdaptiveMaxPool2d((2, None))", (1, 1, 5, 3)),
    ("nn.AdaptiveMaxPool2d(2, return_indices=True)", (1, 1, 4, 4)),
    ("nn.AdaptiveMaxPool3d(1)", (1, 1, 2, 2, 2)),
    ("nn.AdaptiveAvgPool1d(3)", (1, 2, 7)),
    ("nn.AdaptiveAvgPool2d((None, 2))", (1, 1, 3, 5)),
    ("nn.AdaptiveAvgPool2d(1)", (1, 2, 3, 5)),
    ("nn.AdaptiveAvgPool3d(2)", (1, 1, 3, 2, 4)),
)
REFUSED = (
    ("nn.MaxPool2d(2, padding=2)", (1, 1, 4, 4)),
    ("nn.MaxPool2d(2)", (4,)),
    ("nn.AvgPool2d(5)", (1, 1, 4, 4)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def pools_of_volumes_are_no_pools_of_images(torch):
    nn = torch.nn
    return isinstance(nn.AvgPool3d(2), nn.AvgPool2d)


test_pooling = programs.test()
