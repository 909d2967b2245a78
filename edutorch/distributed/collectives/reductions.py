"""Collectives that combine the values of all ranks: sums, averages, products ...

They write into tensors, and wait as those of `movements.py` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ..groups.process_group import ProcessGroup
from .buffers import check_tensor, check_tensors, readable, writable
from .call import (
    about,
    begin,
    check_list,
    check_total,
    collective,
    count,
    local_root,
)
from .mpi_types import finished, mpi_op, staged
from .reduce_op import ReduceOp
from .work import Work

__all__ = [
    "all_reduce", "reduce", "reduce_scatter", "reduce_scatter_single",
    "reduce_scatter_tensor",
]  # fmt: skip


@collective(tensor=check_tensor)
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
    array, changed = writable(tensor)
    operation = mpi_op(group.world.mpi, op, array.dtype)
    got = staged(array)

    def finish() -> list[Tensor]:
        finished(array, got, op, group.size())
        changed()
        return [tensor]

    return begin(
        group,
        f"all_reduce({about(tensor)}, {op.name})",
        lambda comm: comm.Iallreduce(group.world.mpi.IN_PLACE, got, operation),
        finish,
        got,
        f"{count(array)} {op.name}",
    )


@collective(tensor=check_tensor)
def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work:
    """As `all_reduce`, but only rank `dst` gets the result; others keep theirs.

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
    root = local_root(group, dst, group_dst)
    mine = group.rank() == root
    array, changed = writable(tensor) if mine else (readable(tensor), None)
    operation = mpi_op(group.world.mpi, op, array.dtype)
    got = staged(array)

    def finish() -> list[Tensor]:
        if changed is not None:
            finished(array, got, op, group.size())
            changed()
        return [tensor]

    in_place = group.world.mpi.IN_PLACE
    return begin(
        group,
        f"reduce({about(tensor)}, dst={root}, {op.name})",
        lambda comm: comm.Ireduce(
            in_place if mine else got, got if mine else None, operation, root
        ),
        finish,
        got,
        f"{count(array)} {op.name} {root}",
    )


@collective(output=check_tensor, input_list=check_tensors)
def reduce_scatter(
    output: Tensor,
    input_list: Sequence[Tensor],
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Sum each tensor of the lists over all ranks; rank i gets the sum of number i.

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
    check_list(input_list, output, group, "reduce_scatter: input")
    given = np.concatenate([readable(t).reshape(-1) for t in input_list])
    name = f"reduce_scatter({about(output)}, {op.name})"
    return _reduce_scatter(group, name, output, given, op)


@collective(output=check_tensor, input=check_tensor)
def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Sum a tensor over all ranks; rank i gets part i of the sum.

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
    check_total(input, output, group.size(), "input", "output")
    name = f"reduce_scatter_tensor({about(output)}, {op.name})"
    given = readable(input).reshape(-1)
    return _reduce_scatter(group, name, output, given, op)


reduce_scatter_single = reduce_scatter_tensor  # PyTorch's newer name


def _reduce_scatter(
    members: ProcessGroup, name: str, output: Tensor, given: Any, op: ReduceOp
) -> Work:
    array, changed = writable(output)
    operation = mpi_op(members.world.mpi, op, array.dtype)
    sent = staged(given)
    got = np.empty(array.size, sent.dtype)

    def finish() -> list[Tensor]:
        finished(array, got, op, members.size())
        changed()
        return [output]

    return begin(
        members,
        name,
        lambda comm: comm.Ireduce_scatter_block(sent, got, operation),
        finish,
        (sent, got),
        f"{count(array)} {op.name}",
    )
