"""Collectives that write into tensors: each rank calls the same one.

Every function begins the work and waits for it; with `async_op=True` it returns the
`Work`, which is waited for later. A process outside the group does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor
from .buffers import as_bytes, check_tensor, check_tensors, readable, writable
from .fingerprints import fingerprint
from .groups import ProcessGroup, member_group
from .reduce_op import ReduceOp
from .reductions import finished, mpi_op, staged
from .work import Work

__all__ = [
    "all_gather", "all_gather_into_tensor", "all_reduce", "all_to_all",
    "all_to_all_single", "barrier", "broadcast", "gather", "reduce", "reduce_scatter",
    "reduce_scatter_tensor", "scatter",
]  # fmt: skip


def begin(
    group: ProcessGroup,
    name: str,
    start: Callable[[Any], Any],
    finish: Callable[[], Any] | None,
    keep: Any,
    key: str = "",
) -> Work:
    """Start a collective on the group's communicator.

    Args:
        name: the call in words.
        key: the part of it that all ranks must agree on; by default the function.
    """
    group.begin(name)
    key = f"{name.partition('(')[0]} {key}"
    check = fingerprint(group.comm, name, key)
    return Work(group, name, [start(group.comm)], finish, keep=keep, check=check)


def end(work: Work, async_op: bool) -> Work | None:
    """The work itself, or None once it is done."""
    if async_op:
        return work
    work.wait()
    return None


def local_root(group: ProcessGroup, root: int | None, group_root: int | None) -> int:
    """The number in the group of a source or destination.

    Raises:
        ValueError: if it is named in both ways, or not in the group.
    """
    if root is not None and group_root is not None:
        raise ValueError("Can't specify both a global rank and a group rank")
    if group_root is not None:
        return group_root
    return group.local(0 if root is None else root)


def broadcast(
    tensor: Tensor,
    src: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work | None:
    """Give every rank the values of the tensor of rank `src`."""
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    root = local_root(members, src, group_src)
    array, changed = writable(tensor)

    def finish() -> list[Tensor]:
        changed()
        return [tensor]

    work = begin(
        members,
        f"broadcast({_about(tensor)}, src={root})",
        lambda comm: comm.Ibcast(as_bytes(array), root),
        finish,
        array,
        f"{_count(array)} {root}",
    )
    return end(work, async_op)


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
        f"all_reduce({_about(tensor)}, {op.name})",
        lambda comm: comm.Iallreduce(members.world.mpi.IN_PLACE, got, operation),
        finish,
        got,
        f"{_count(array)} {op.name}",
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
        f"reduce({_about(tensor)}, dst={root}, {op.name})",
        lambda comm: comm.Ireduce(
            in_place if mine else got, got if mine else None, operation, root
        ),
        finish,
        got,
        f"{_count(array)} {op.name} {root}",
    )
    return end(work, async_op)


def all_gather(
    tensor_list: Sequence[Tensor],
    tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Give every rank the tensors of all ranks, in a list; sizes may differ."""
    check_tensors(tensor_list, "tensor_list")
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    _check_list(tensor_list, tensor, members, "output")
    mine = as_bytes(readable(tensor))
    counts = [t.nbytes for t in tensor_list]
    got = np.empty(sum(counts), np.uint8)
    work = begin(
        members,
        f"all_gather({_about(tensor)})",
        lambda comm: comm.Iallgatherv(mine, [got, counts]),
        lambda: _spread(got, tensor_list),
        (mine, got),
    )
    return end(work, async_op)


def all_gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Give every rank the tensors of all ranks, one after the other in one tensor."""
    check_tensor(output_tensor, "output_tensor")
    check_tensor(input_tensor, "input_tensor")
    members = member_group(group)
    if members is None:
        return None
    _check_total(output_tensor, input_tensor, members.size(), "output", "input")
    mine = as_bytes(readable(input_tensor))
    array, changed = writable(output_tensor)
    if np.shares_memory(mine, array):
        mine = mine.copy()

    def finish() -> list[Tensor]:
        changed()
        return [output_tensor]

    work = begin(
        members,
        f"all_gather_into_tensor({_about(input_tensor)})",
        lambda comm: comm.Iallgather(mine, as_bytes(array)),
        finish,
        (mine, array),
        _count(array),
    )
    return end(work, async_op)


def gather(
    tensor: Tensor,
    gather_list: Sequence[Tensor] | None = None,
    dst: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:
    """Give rank `dst` the tensors of all ranks, in a list."""
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    root = local_root(members, dst, group_dst)
    mine = as_bytes(readable(tensor))
    got = counts = None
    if members.rank() == root:
        if gather_list is None:
            raise ValueError(
                "Argument ``gather_list`` must be specified on destination rank."
            )
        check_tensors(gather_list, "gather_list")
        _check_list(gather_list, tensor, members, "output")
        counts = [t.nbytes for t in gather_list]
        got = np.empty(sum(counts), np.uint8)
    elif gather_list:
        raise ValueError(
            "Argument ``gather_list`` must NOT be specified on non-destination ranks."
        )
    work = begin(
        members,
        f"gather({_about(tensor)}, dst={root})",
        lambda comm: comm.Igatherv(mine, None if got is None else [got, counts], root),
        lambda: [] if got is None else _spread(got, gather_list or ()),
        (mine, got),
        str(root),
    )
    return end(work, async_op)


def scatter(
    tensor: Tensor,
    scatter_list: Sequence[Tensor] | None = None,
    src: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work | None:
    """Give each rank its tensor of the list of rank `src`."""
    check_tensor(tensor, "tensor")
    members = member_group(group)
    if members is None:
        return None
    root = local_root(members, src, group_src)
    given = None
    if members.rank() == root:
        if scatter_list is None:
            raise ValueError(
                "Argument ``scatter_list`` must be specified on source rank."
            )
        check_tensors(scatter_list, "scatter_list")
        _check_list(scatter_list, tensor, members, "input")
        given = np.concatenate([as_bytes(readable(t)) for t in scatter_list])
    elif scatter_list:
        raise ValueError(
            "Argument ``scatter_list`` must NOT be specified on non-source ranks."
        )
    array, changed = writable(tensor)

    def finish() -> list[Tensor]:
        changed()
        return [tensor]

    work = begin(
        members,
        f"scatter({_about(tensor)}, src={root})",
        lambda comm: comm.Iscatter(given, as_bytes(array), root),
        finish,
        (given, array),
        f"{_count(array)} {root}",
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
    _check_list(input_list, output, members, "input")
    given = np.concatenate([readable(t).reshape(-1) for t in input_list])
    name = f"reduce_scatter({_about(output)}, {op.name})"
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
    _check_total(input, output, members.size(), "input", "output")
    name = f"reduce_scatter_tensor({_about(output)}, {op.name})"
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
        f"{_count(array)} {op.name}",
    )


def all_to_all(
    output_tensor_list: Sequence[Tensor],
    input_tensor_list: Sequence[Tensor],
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Send number i of a list to rank i, and get one from each rank."""
    check_tensors(output_tensor_list, "output_tensor_list")
    check_tensors(input_tensor_list, "input_tensor_list")
    members = member_group(group)
    if members is None:
        return None
    for tensors in (output_tensor_list, input_tensor_list):
        if len(tensors) != members.size():
            raise ValueError(
                f"all_to_all needs a tensor for each of {members.size()} ranks, "
                f"got {len(tensors)}"
            )
    given = np.concatenate([as_bytes(readable(t)) for t in input_tensor_list])
    sent = [t.nbytes for t in input_tensor_list]
    counts = [t.nbytes for t in output_tensor_list]
    got = np.empty(sum(counts), np.uint8)
    work = begin(
        members,
        "all_to_all",
        lambda comm: comm.Ialltoallv([given, sent], [got, counts]),
        lambda: _spread(got, output_tensor_list),
        (given, got),
    )
    return end(work, async_op)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: Any = None,
    async_op: bool = False,
) -> Work | None:
    """Send parts of a tensor, split along dimension 0, to the ranks in turn."""
    check_tensor(output, "output")
    check_tensor(input, "input")
    members = member_group(group)
    if members is None:
        return None
    given = as_bytes(readable(input))
    array, changed = writable(output)
    sent = _splits(input, input_split_sizes, members.size())
    counts = _splits(output, output_split_sizes, members.size())

    def finish() -> list[Tensor]:
        changed()
        return [output]

    work = begin(
        members,
        "all_to_all_single",
        lambda comm: comm.Ialltoallv([given, sent], [as_bytes(array), counts]),
        finish,
        (given, array),
    )
    return end(work, async_op)


def _splits(tensor: Tensor, sizes: Sequence[int] | None, ranks: int) -> list[int]:
    """The bytes for each rank."""
    rows = tensor.shape[0] if tensor.ndim else 0
    if not sizes:
        if rows % ranks:
            raise RuntimeError(
                "Tensor's dim 0 does not divide equally across group size"
            )
        sizes = [rows // ranks] * ranks
    if len(sizes) != ranks:
        raise RuntimeError("Number of tensor splits not equal to group size")
    if sum(sizes) != rows:
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    row = tensor.nbytes // rows if rows else 0
    return [size * row for size in sizes]


def barrier(
    group: Any = None, async_op: bool = False, device_ids: Any = None
) -> Work | None:
    """Wait until all ranks of the group have come here."""
    members = member_group(group)
    if members is None:
        return None
    work = begin(members, "barrier()", lambda comm: comm.Ibarrier(), None, None)
    return end(work, async_op)


def _about(tensor: Tensor) -> str:
    """A tensor in messages: `float32 (2, 3)`."""
    return f"{tensor._data.dtype.name} {tuple(tensor.shape)}"


def _count(array: Any) -> str:
    """What all ranks must agree on: the dtype and the number of elements."""
    return f"{array.dtype.name} {array.size}"


def _spread(got: Any, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Write bytes, one tensor after the other, into tensors."""
    start = 0
    for tensor in tensors:
        array, changed = writable(tensor)
        as_bytes(array)[:] = got[start : start + array.nbytes]
        start += array.nbytes
        changed()
    return list(tensors)


def _check_list(
    tensors: Sequence[Tensor], tensor: Tensor, members: ProcessGroup, what: str
) -> None:
    """One tensor of the list for each rank, all of one dtype."""
    if len(tensors) != members.size():
        raise ValueError(
            f"invalid {what} tensor list at index 0 (expected length "
            f"{members.size()}, got {len(tensors)})"
        )
    for i, other in enumerate(tensors):
        if other.dtype != tensor.dtype:
            raise ValueError(
                "ProcessGroup: expected tensors of one dtype: "
                f"number {i} of the {what} list has {other.dtype}, not {tensor.dtype}"
            )


def _check_total(
    large: Tensor, small: Tensor, ranks: int, large_name: str, small_name: str
) -> None:
    """One tensor has room for those of all ranks."""
    if large.dtype != small.dtype:
        raise ValueError(
            f"{large_name} tensor must have the same type as {small_name} tensor: "
            f"got {large.dtype} and {small.dtype}"
        )
    if large.numel() != small.numel() * ranks:
        raise ValueError(
            f"{large_name} tensor size must be equal to world_size times "
            f"{small_name} tensor size: got {tuple(large.shape)} and "
            f"{tuple(small.shape)} for {ranks} ranks"
        )
