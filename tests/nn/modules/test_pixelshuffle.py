"""Layers that turn channels into pixels."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.PixelShuffle(2)", (1, 8, 3, 4)),
    ("nn.PixelUnshuffle(2)", (1, 2, 4, 6)),
    ("nn.ChannelShuffle(2)", (1, 6, 3, 4)),
)
REFUSED = (
    ("nn.PixelShuffle(2)", (1, 6, 3, 4)),
    ("nn.PixelUnshuffle(2)", (1, 2, 3, 4)),
    ("nn.ChannelShuffle(4)", (1, 6, 3, 4)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_pixelshuffle = programs.test()
