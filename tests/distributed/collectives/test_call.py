"""What collectives have in common."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import edutorch as torch
from edutorch.distributed.collectives.call import (
    about,
    check_list,
    check_total,
    count,
    local_root,
    spread,
)
from edutorch.distributed.groups.process_group import ProcessGroup


def members(*ranks):
    world = SimpleNamespace(rank=ranks[0], size=8)
    return ProcessGroup(world, None, ranks, "0", "gloo", None, None)


def test_root_is_named_in_the_world_or_in_the_group():
    assert local_root(members(2, 5), 5, None) == local_root(members(2, 5), None, 1) == 1
    with pytest.raises(ValueError, match="Global rank 3 is not part of group"):
        local_root(members(2, 5), 3, None)
    with pytest.raises(ValueError, match="Can't specify both"):
        local_root(members(2, 5), 2, 0)


def test_tensors_are_named_by_dtype_and_shape():
    assert about(torch.ones(2, 3)) == "float32 (2, 3)"
    assert count(np.ones((2, 3))) == "float64 6"


def test_bytes_are_spread_over_tensors_of_different_sizes():
    parts = [torch.zeros(1), torch.zeros(2)]
    spread(np.arange(3, dtype=np.float32).view(np.uint8), parts)
    assert [p.tolist() for p in parts] == [[0.0], [1.0, 2.0]]


def test_lists_need_a_tensor_for_each_rank_of_one_dtype():
    with pytest.raises(RuntimeError, match=r"expected length 2, got 1\)"):
        check_list([torch.ones(1)], torch.ones(1), members(0, 1), "gather: output")
    with pytest.raises(ValueError, match="number 1 of the list has torch.int64"):
        mixed = [torch.ones(1), torch.tensor([1])]
        check_list(mixed, torch.ones(1), members(0, 1), "gather: output")


def test_one_tensor_must_have_room_for_all():
    with pytest.raises(ValueError, match="output tensor size must be equal"):
        check_total(torch.ones(3), torch.ones(2), 2, "output", "input")
    with pytest.raises(ValueError, match="must have the same type"):
        check_total(torch.ones(4).double(), torch.ones(2), 2, "output", "input")
