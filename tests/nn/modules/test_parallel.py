"""A wrapper for programs written for several GPUs."""

from __future__ import annotations

from tests.nn.modules.layers import runs
from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def the_whole_batch_goes_through_the_module(torch):
    torch.manual_seed(1)
    m = torch.nn.DataParallel(torch.nn.Linear(2, 1))
    found = runs(torch, (("nn.DataParallel(nn.BatchNorm1d(3))", (4, 3)),))
    return [found, m.device_ids, m(torch.ones(3, 2))]


test_parallel = programs.test()
