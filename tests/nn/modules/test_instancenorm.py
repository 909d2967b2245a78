"""Instance normalisation layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.InstanceNorm1d(2)", (3, 2, 4)),
    ("nn.InstanceNorm1d(2, affine=True)", (2, 4)),
    ("nn.InstanceNorm2d(2, track_running_stats=True, momentum=0.2)", (2, 2, 3, 3)),
    ("nn.InstanceNorm2d(2, affine=True, bias=False)", (1, 2, 3, 3)),
    ("nn.InstanceNorm3d(2)", (1, 2, 2, 2, 3)),
)
REFUSED = (
    ("nn.InstanceNorm1d(2)", (2,)),
    ("nn.InstanceNorm2d(2)", (2, 2)),
    ("nn.InstanceNorm1d(2, affine=True)", (3, 3, 4)),
    ("nn.InstanceNorm1d(2)", (3, 2, 1)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_instancenorm = programs.test()
