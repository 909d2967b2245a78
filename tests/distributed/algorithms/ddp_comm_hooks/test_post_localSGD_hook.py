"""Averages over all ranks first, later over a few."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.distributed import GradBucket
from edutorch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import (
    PostLocalSGDState,
    post_localSGD_hook,
)
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi


@pytest.mark.parametrize("keeps", [True, False])
def test_post_local_training_is_that_of_pytorch(of_hooks, keeps):
    for mine, theirs in zip(*of_hooks, strict=True):
        mine, theirs = mine[f"local {keeps}"], theirs[f"local {keeps}"]
        assert mine[1:] == theirs[1:] == [6, 2]
        for a, b in zip(mine[0], theirs[0], strict=True):
            assert np.allclose(a, b, rtol=1e-5, atol=1e-6)


def test_subgroup_is_made_when_it_is_needed(alone):
    state = PostLocalSGDState(None, None, 1)
    for made in (False, True):
        bucket = GradBucket(0, torch.ones(2), [torch.zeros(2)], True)
        assert post_localSGD_hook(state, bucket).wait().tolist() == [1, 1]
        assert (state.subgroup is not None) is made
