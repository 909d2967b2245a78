"""Collectives that combine the values of all ranks: sums, averages, products ...

They write into tensors, and wait like those of `data_movement.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ..groups.process_group import ProcessGroup
from .argument_checks import (
    check_concatenated_size,
    check_one_tensor_per_rank,
    check_reduce_op,
    check_root,
    check_tensor,
    check_tensor_list,
    root_in_group,
)
from .buffers import receive_buffer, send_buffer
from .mpi_ops import copy_from_mpi_dtype, mpi_op, to_mpi_dtype
from .nccl import nccl_communicator
from .nonblocking import collective, describe_tensor, start_nonblocking, type_signature
from .reduce_op import ReduceOp
from .work import Work

__all__ = [
    "all_reduce", "reduce", "reduce_scatter", "reduce_scatter_single",
    "reduce_scatter_tensor",
]  # fmt: skip


@collective(tensor=check_tensor, op=check_reduce_op("AllreduceOptions"))
def all_reduce(
    tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work:
    """Replace the tensor of every rank by the sum (or `op`) over all ranks.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2)
        >>> dist.all_reduce(x)
        >>> x  # on four ranks 4.
        tensor([1., 1.])
        >>> work = dist.all_reduce(x, dist.ReduceOp.AVG, async_op=True)
        >>> work.wait()  # something else may be computed before
        True
        >>> dist.destroy_process_group()
    """
    nccl = nccl_communicator(group, tensor)
    if nccl is not None and nccl.reduces(tensor, op):
        return nccl.all_reduce(tensor, op)
    array, write_back = receive_buffer(tensor)
    operation = mpi_op(group.world.mpi, op, array.dtype)
    got = to_mpi_dtype(array)

    def finish() -> list[Tensor]:
        copy_from_mpi_dtype(array, got, op, group.size())
        write_back()
        return [tensor]

    return start_nonblocking(
        group,
        f"all_reduce({describe_tensor(tensor)}, {op.name})",
        lambda comm: comm.Iallreduce(group.world.mpi.IN_PLACE, got, operation),
        finish,
        got,
        f"{type_signature(array)} {op.name}",
    )


@collective(tensor=check_tensor, op=check_reduce_op("ReduceOptions"))
def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work:
    """Like `all_reduce`, but only rank `dst` receives the result; others keep theirs.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2)
        >>> dist.reduce(x, dst=0)
        >>> x  # on four ranks 4., on rank 0
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    root = root_in_group(group, dst, group_dst, default=None)
    check_root(group, root, "reduce")
    nccl = nccl_communicator(group, tensor)
    if nccl is not None and nccl.reduces(tensor, op):
        return nccl.reduce(tensor, root, op)
    mine = group.rank() == root
    array, write_back = receive_buffer(tensor) if mine else (send_buffer(tensor), None)
    operation = mpi_op(group.world.mpi, op, array.dtype)
    got = to_mpi_dtype(array)

    def finish() -> list[Tensor]:
        if write_back is not None:
            copy_from_mpi_dtype(array, got, op, group.size())
            write_back()
        return [tensor]

    in_place = group.world.mpi.IN_PLACE
    return start_nonblocking(
        group,
        f"reduce({describe_tensor(tensor)}, dst={root}, {op.name})",
        lambda comm: comm.Ireduce(
            in_place if mine else got, got if mine else None, operation, root
        ),
        finish,
        got,
        f"{type_signature(array)} {op.name} {root}",
    )


@collective(
    output=check_tensor,
    input_list=check_tensor_list,
    op=check_reduce_op("ReduceScatterOptions"),
)
def reduce_scatter(
    output: Tensor,
    input_list: Sequence[Tensor],
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Sum each tensor of the lists over all ranks; rank i receives sum i.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mine = torch.empty(2)
        >>> dist.reduce_scatter(mine, [torch.ones(2)])  # one tensor for each rank
        >>> mine
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    check_one_tensor_per_rank(input_list, output, group, "reduce_scatter: input")
    given = np.concatenate([send_buffer(t).reshape(-1) for t in input_list])
    name = f"reduce_scatter({describe_tensor(output)}, {op.name})"
    return _reduce_scatter(group, name, output, given, op)


@collective(
    output=check_tensor, input=check_tensor, op=check_reduce_op("ReduceScatterOptions")
)
def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Sum a tensor over all ranks; rank i receives part i of the sum.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mine = torch.empty(2)
        >>> dist.reduce_scatter_tensor(mine, torch.ones(2 * dist.get_world_size()))
        >>> mine
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    check_concatenated_size(input, output, group.size(), "input", "output")
    name = f"reduce_scatter_tensor({describe_tensor(output)}, {op.name})"
    nccl = nccl_communicator(group, input)
    if nccl is not None and nccl.reduces(input, op):
        return nccl.reduce_scatter(output, input, op)
    given = send_buffer(input).reshape(-1)
    return _reduce_scatter(group, name, output, given, op)


reduce_scatter_single = reduce_scatter_tensor  # PyTorch's newer name


def _reduce_scatter(
    members: ProcessGroup, name: str, output: Tensor, given: Any, op: ReduceOp
) -> Work:
    array, write_back = receive_buffer(output)
    operation = mpi_op(members.world.mpi, op, array.dtype)
    sent = to_mpi_dtype(given)
    got = np.empty(array.size, sent.dtype)

    def finish() -> list[Tensor]:
        copy_from_mpi_dtype(array, got, op, members.size())
        write_back()
        return [output]

    return start_nonblocking(
        members,
        name,
        lambda comm: comm.Ireduce_scatter_block(sent, got, operation),
        finish,
        (sent, got),
        f"{type_signature(array)} {op.name}",
    )
