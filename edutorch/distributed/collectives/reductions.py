"""Collectives that combine the values of all ranks: sums, averages, products ...

They write into tensors, and wait as those of `movements.py` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ..groups.membership import member_group
from ..groups.process_group import ProcessGroup
from .buffers import check_tensor, check_tensors, readable, writable
from .call import (
    about,
    begin,
    check_list,
    check_total,
    count,
    end,
    local_root,
)
from .mpi_types import finished, mpi_op, staged
from .reduce_op import ReduceOp
from .work import Work

__all__ = ["all_reduce", "reduce", "reduce_scatter", "reduce_scatter_tensor"]


def all_reduce(
    tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """Replace the tensor of every rank by the sum (or `op`) over all ranks."""
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    array, changed = writable(tensor)
    operation = mpi_op(members.world.mpi, op, array.dtype)
    got = staged(array)

    def finish() -> list[Tensor]:
        finished(array, got, op, members.size())
        changed()
        return [tensor]

    work = begin(
        members,
        f"all_reduce({about(tensor)}, {op.name})",
        lambda comm: comm.Iallreduce(members.world.mpi.IN_PLACE, got, operation),
        finish,
        got,
        f"{count(array)} {op.name}",
    )
    return end(work, async_op)


def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:
    """As `all_reduce`, but only rank `dst` gets the result; others keep theirs."""
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    root = local_root(members, dst, group_dst)
    mine = members.rank() == root
    array, changed = writable(tensor) if mine else (readable(tensor), None)
    operation = mpi_op(members.world.mpi, op, array.dtype)
    got = staged(array)

    def finish() -> list[Tensor]:
        if changed is not None:
            finished(array, got, op, members.size())
            changed()
        return [tensor]

    in_place = members.world.mpi.IN_PLACE
    work = begin(
        members,
        f"reduce({about(tensor)}, dst={root}, {op.name})",
        lambda comm: comm.Ireduce(
            in_place if mine else got, got if mine else None, operation, root
        ),
        finish,
        got,
        f"{count(array)} {op.name} {root}",
    )
    return end(work, async_op)


def reduce_scatter(
    output: Tensor,
    input_list: Sequence[Tensor],
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Sum each tensor of the lists over all ranks; rank i gets the sum of number i."""
    check_tensor(output, "output")
    check_tensors(input_list, "input_list")
    members = member_group(group)
    if members is None:
        return None
    check_list(input_list, output, members, "reduce_scatter: input")
    given = np.concatenate([readable(t).reshape(-1) for t in input_list])
    name = f"reduce_scatter({about(output)}, {op.name})"
    return end(_reduce_scatter(members, name, output, given, op), async_op)


def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Sum a tensor over all ranks; rank i gets part i of the sum."""
    check_tensor(output, "output")
    check_tensor(input, "input")
    members = member_group(group)
    if members is None:
        return None
    check_total(input, output, members.size(), "input", "output")
    name = f"reduce_scatter_tensor({about(output)}, {op.name})"
    given = readable(input).reshape(-1)
    return end(_reduce_scatter(members, name, output, given, op), async_op)


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
