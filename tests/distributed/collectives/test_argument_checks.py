"""Arguments of collectives are checked before anything is sent."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.collectives.argument_checks import (
    check_concatenated_size,
    check_one_tensor_per_rank,
    check_reduce_op,
    check_root,
    check_tensor,
    check_tensor_list,
    root_in_group,
)
from edutorch.distributed.groups.process_group import ProcessGroup
from tests.distributed.launching import needs_mpi


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


def test_non_tensor_is_refused():
    with pytest.raises(
        TypeError, match="Expected parameter `tensor` of type torch.Tensor"
    ):
        check_tensor([1.0], "tensor")
    with pytest.raises(TypeError, match="Expected parameter `tensors`"):
        check_tensor_list([torch.ones(1), 2], "tensors")


def test_root_must_be_the_number_of_a_rank():
    check_root(members(0, 1), 1, "broadcast")
    for root in (-1, 2):
        with pytest.raises(RuntimeError, match=f"broadcast: invalid root rank: {root}"):
            check_root(members(0, 1), root, "broadcast")
    with pytest.raises(TypeError, match="a rank must be an integer, got '0'"):
        root_in_group(members(0, 1), "0", None)


@needs_mpi
@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("broadcast", lambda x, root: dist.broadcast(x, root)),
        ("broadcast", lambda x, root: dist.broadcast(x, group_src=root)),
        ("broadcast", lambda x, root: dist.broadcast_object_list([1], root)),
        ("reduce", lambda x, root: dist.reduce(x, root)),
        ("gather", lambda x, root: dist.gather(x, None, root)),
        ("gather", lambda x, root: dist.gather_object(1, None, root)),
        ("gather", lambda x, root: dist.nn.functional.gather(x, root)),
        ("scatter", lambda x, root: dist.scatter(x, None, root)),
        ("scatter", lambda x, root: dist.scatter_object_list([0], None, root)),
        ("scatter", lambda x, root: dist.nn.functional.scatter([x], root)),
    ],
)
def test_collectives_refuse_a_root_that_does_not_exist(alone, function, call):
    with pytest.raises(RuntimeError, match=f"{function}: invalid root rank: 7"):
        call(torch.ones(2), 7)


@needs_mpi
@pytest.mark.parametrize(
    "call",
    [
        lambda x, op: dist.all_reduce(x, op),
        lambda x, op: dist.all_reduce_coalesced([x], op),
        lambda x, op: dist.reduce(x, 0, op),
        lambda x, op: dist.reduce_scatter(x, [x], op),
        lambda x, op: dist.reduce_scatter_tensor(x, x, op),
        lambda x, op: dist.nn.functional.all_reduce(x, op),
    ],
)
@pytest.mark.parametrize("op", ["sum", 0, None])
def test_collectives_refuse_unknown_reductions(alone, call, op):
    with pytest.raises(TypeError, match="arg0: torch._C._distributed_c10d.ReduceOp"):
        call(torch.ones(2), op)


def test_name_of_a_reduction_is_refused_with_a_hint():
    check = check_reduce_op("AllreduceOptions")
    with pytest.raises(TypeError, match="'sum'; did you mean ReduceOp.SUM") as caught:
        check("sum", "op")
    assert str(caught.value).startswith("(): incompatible function arguments.")
    check(dist.ReduceOp.SUM, "op")


@needs_mpi
def test_messages_go_to_ranks_that_exist(alone):
    for call, place in ((dist.send, "group_dst"), (dist.recv, "group_src")):
        with pytest.raises(ValueError, match="7 is not one of the 1 ranks"):
            call(torch.ones(2), **{place: 7})


@needs_mpi
def test_list_of_no_tensors_counts_as_none(alone):
    with pytest.raises(ValueError, match="``scatter_list`` must be specified"):
        dist.scatter(torch.ones(2), [], 0)
    with pytest.raises(ValueError, match="``gather_list`` must be specified"):
        dist.gather(torch.ones(2), [], 0)
