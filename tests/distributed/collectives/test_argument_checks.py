"""Arguments of collectives are checked before anything is sent."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import edutorch as torch
from edutorch.distributed.collectives.argument_checks import (
    check_concatenated_size,
    check_one_tensor_per_rank,
    check_tensor,
    check_tensor_list,
    root_in_group,
)
from edutorch.distributed.groups.process_group import ProcessGroup


def members(*ranks):
    world = SimpleNamespace(rank=ranks[0], size=8)
    return ProcessGroup(world, None, ranks, "0", "gloo", None, None)


def test_root_is_named_in_the_world_or_in_the_group():
    assert (
        root_in_group(members(2, 5), 5, None)
        == root_in_group(members(2, 5), None, 1)
        == 1
    )
    with pytest.raises(ValueError, match="Global rank 3 is not part of group"):
        root_in_group(members(2, 5), 3, None)
    with pytest.raises(ValueError, match="Can't specify both"):
        root_in_group(members(2, 5), 2, 0)
    with pytest.raises(ValueError, match="Must specify global_rank or group_rank"):
        root_in_group(members(2, 5), None, None, default=None)


def test_lists_need_a_tensor_for_each_rank_of_one_dtype():
    with pytest.raises(RuntimeError, match=r"expected length 2, got 1\)"):
        check_one_tensor_per_rank(
            [torch.ones(1)], torch.ones(1), members(0, 1), "gather: output"
        )
    with pytest.raises(ValueError, match="number 1 of the list has torch.int64"):
        mixed = [torch.ones(1), torch.tensor([1])]
        check_one_tensor_per_rank(mixed, torch.ones(1), members(0, 1), "gather: output")


def test_lists_hold_tensors_of_one_shape():
    lists = [torch.ones(2), torch.ones(3)]
    with pytest.raises(RuntimeError, match=r"index 1 \(expected \(2\), got \(3\)\)"):
        check_one_tensor_per_rank(lists, torch.ones(2), members(0, 1), "gather: output")
    what = "allgather: output"
    check_one_tensor_per_rank(
        lists, torch.ones(2), members(0, 1), what, equal_shapes=False
    )
    with pytest.raises(RuntimeError, match=r"index 0 \(expected \(3\), got \(2\)\)"):
        check_one_tensor_per_rank(
            lists, torch.ones(3), members(0, 1), what, equal_shapes=False
        )


def test_one_tensor_must_have_room_for_all():
    with pytest.raises(ValueError, match="output tensor size must be equal"):
        check_concatenated_size(torch.ones(3), torch.ones(2), 2, "output", "input")
    with pytest.raises(ValueError, match="must have the same type"):
        check_concatenated_size(
            torch.ones(4).double(), torch.ones(2), 2, "output", "input"
        )


def test_what_is_no_tensor_is_refused():
    with pytest.raises(
        TypeError, match="Expected parameter `tensor` of type torch.Tensor"
    ):
        check_tensor([1.0], "tensor")
    with pytest.raises(TypeError, match="Expected parameter `tensors`"):
        check_tensor_list([torch.ones(1), 2], "tensors")
