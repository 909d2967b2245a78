"""Batch normalisation layers."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.BatchNorm1d(3)", (4, 3)),
    ("nn.BatchNorm1d(2, momentum=None)", (3, 2, 4)),
    ("nn.BatchNorm2d(2, eps=1e-2, momentum=0.3)", (2, 2, 3, 3)),
    ("nn.BatchNorm2d(2, affine=False)", (2, 2, 2, 2)),
    ("nn.BatchNorm2d(2, track_running_stats=False)", (2, 2, 2, 2)),
    ("nn.BatchNorm1d(2, bias=False)", (3, 2)),
    ("nn.BatchNorm3d(2)", (2, 2, 2, 1, 2)),
    ("nn.SyncBatchNorm(2)", (3, 2, 4)),
)
REFUSED = (
    ("nn.BatchNorm1d(2)", (2, 2, 2, 2)),
    ("nn.BatchNorm2d(2)", (2, 2)),
    ("nn.BatchNorm3d(2)", (2, 2)),
    ("nn.BatchNorm1d(2)", (1, 2)),
    ("nn.BatchNorm1d(3)", (4, 2)),
    ("nn.SyncBatchNorm(3)", (4,)),
    ("nn.SyncBatchNorm(3)", (4, 0)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def batch_norms_become_those_of_all_processes(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2, momentum=0.3).eval())
    found = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    same = found[1].weight is net[1].weight
    return [repr(found), found[1].training, same, list(found.state_dict())]


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_batchnorm = programs.test()
