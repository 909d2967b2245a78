"""Layers that give images another size."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.Upsample(2)", (1, 2, 3, 4)),
    ("nn.Upsample(scale_factor=2)", (1, 2, 3)),
    ("nn.Upsample(scale_factor=(2, 1.5), mode='bilinear')", (1, 2, 3, 4)),
    ("nn.Upsample(scale_factor=2, mode='bicubic', align_corners=True)", (1, 1, 3, 4)),
    ("nn.Upsample((4, 3, 2), mode='trilinear')", (1, 1, 2, 2, 3)),
    ("nn.Upsample(scale_factor=1.5, recompute_scale_factor=True)", (1, 1, 3, 4)),
    ("nn.UpsamplingNearest2d(scale_factor=2)", (1, 2, 3, 4)),
    ("nn.UpsamplingBilinear2d(size=5)", (1, 2, 3, 4)),
)
REFUSED = (
    ("nn.Upsample()", (1, 1, 4)),
    ("nn.Upsample(2, 2)", (1, 1, 4)),
    ("nn.Upsample(2, mode='bilinear')", (1, 1, 4)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_upsampling = programs.test()
