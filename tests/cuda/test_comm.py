"""`torch.cuda.comm` has the functions of `nn.parallel.comm`."""

from __future__ import annotations

import edutorch as torch
from edutorch.nn.parallel import comm


def test_names_are_those_of_the_parallel_modules():
    for name in torch.cuda.comm.__all__:
        assert getattr(torch.cuda.comm, name) is getattr(comm, name)
