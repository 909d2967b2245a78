"""Collectives that move data without combining it, and `barrier`.

Every function starts the work and waits for it; with `async_op=True`, it returns the
`Work`, to be waited for later. A process outside the group does nothing.
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
    check_root,
    check_same_dtype,
    check_tensor,
    check_tensor_list,
    root_in_group,
)
from .buffers import as_bytes, receive_buffer, send_buffer
from .nccl import nccl_communicator
from .nonblocking import (
    collective,
    describe_tensor,
    start_nonblocking,
    type_signature,
    unflatten_into,
)
from .work import Work

__all__ = [
    "all_gather", "all_gather_into_tensor", "all_gather_single", "all_to_all",
    "all_to_all_single", "barrier", "broadcast", "gather", "gather_uneven", "scatter",
]  # fmt: skip


@collective(tensor=check_tensor)
def broadcast(
    tensor: Tensor,
    src: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work:
    """Give every rank the values of the tensor of rank `src`.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.arange(3)
        >>> dist.broadcast(x, src=0)
        >>> x  # on every rank
        tensor([0, 1, 2])
        >>> dist.destroy_process_group()
    """
    root = root_in_group(group, src, group_src, default=None)
    check_root(group, root, "broadcast")
    nccl = nccl_communicator(group, tensor)
    if nccl is not None:
        return nccl.broadcast(tensor, root)
    array, write_back = receive_buffer(tensor)

    def finish() -> list[Tensor]:
        write_back()
        return [tensor]

    return start_nonblocking(
        group,
        f"broadcast({describe_tensor(tensor)}, src={root})",
        lambda comm: comm.Ibcast(as_bytes(array), root),
        finish,
        array,
        f"{type_signature(array)} {root}",
    )


@collective(tensor_list=check_tensor_list, tensor=check_tensor)
def all_gather(
    tensor_list: Sequence[Tensor],
    tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Give every rank the tensors of all ranks, in a list; sizes may differ.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> every = [torch.empty(2) for _ in range(dist.get_world_size())]
        >>> dist.all_gather(every, torch.ones(2))
        >>> every  # on four ranks four tensors
        [tensor([1., 1.])]
        >>> dist.destroy_process_group()
    """
    what = "allgather: output"
    check_one_tensor_per_rank(tensor_list, tensor, group, what, equal_shapes=False)
    mine = as_bytes(send_buffer(tensor))
    counts = [t.nbytes for t in tensor_list]
    got = np.empty(sum(counts), np.uint8)
    return start_nonblocking(
        group,
        f"all_gather({describe_tensor(tensor)})",
        lambda comm: comm.Iallgatherv(mine, [got, counts]),
        lambda: unflatten_into(got, tensor_list),
        (mine, got),
        f"{tensor.dtype} {[t.numel() for t in tensor_list]}",
    )


@collective(output_tensor=check_tensor, input_tensor=check_tensor)
def all_gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Give every rank the tensors of all ranks, one after the other in one tensor.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> every = torch.empty(dist.get_world_size(), 2)
        >>> dist.all_gather_into_tensor(every, torch.ones(2))
        >>> every  # on four ranks four rows
        tensor([[1., 1.]])
        >>> dist.destroy_process_group()
    """
    check_concatenated_size(
        output_tensor, input_tensor, group.size(), "output", "input"
    )
    nccl = nccl_communicator(group, input_tensor)
    if nccl is not None:
        return nccl.all_gather(output_tensor, input_tensor)
    mine = as_bytes(send_buffer(input_tensor))
    array, write_back = receive_buffer(output_tensor)
    if np.shares_memory(mine, array):
        mine = mine.copy()

    def finish() -> list[Tensor]:
        write_back()
        return [output_tensor]

    return start_nonblocking(
        group,
        f"all_gather_into_tensor({describe_tensor(input_tensor)})",
        lambda comm: comm.Iallgather(mine, as_bytes(array)),
        finish,
        (mine, array),
        type_signature(array),
    )


all_gather_single = all_gather_into_tensor  # PyTorch's newer name


@collective(tensor=check_tensor)
def gather(
    tensor: Tensor,
    gather_list: Sequence[Tensor] | None = None,
    dst: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work:
    """Give rank `dst` the tensors of all ranks, in a list.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> every = [torch.empty(2)] if dist.get_rank() == 0 else None
        >>> dist.gather(torch.ones(2), every, dst=0)
        >>> every
        [tensor([1., 1.])]
        >>> dist.destroy_process_group()
    """
    root = root_in_group(group, dst, group_dst)
    return _start_gather(tensor, gather_list, group, root, equal_shapes=True)


@collective(tensor=check_tensor)
def gather_uneven(
    tensor: Tensor,
    gather_list: Sequence[Tensor] | None,
    group: Any = None,
    async_op: bool = False,
    *,
    group_dst: int,
) -> Work:
    """Like `gather`, for tensors whose sizes may differ."""
    return _start_gather(tensor, gather_list, group, group_dst, equal_shapes=False)


def _start_gather(
    tensor: Tensor,
    gather_list: Sequence[Tensor] | None,
    group: ProcessGroup,
    root: int,
    *,
    equal_shapes: bool,
) -> Work:
    mine = as_bytes(send_buffer(tensor))
    got = counts = None
    if group.rank() == root:
        if gather_list is None or len(gather_list) == 0:
            raise ValueError(
                "Argument ``gather_list`` must be specified on destination rank."
            )
        check_tensor_list(gather_list, "gather_list")
        check_one_tensor_per_rank(
            gather_list, tensor, group, "gather: output", equal_shapes=equal_shapes
        )
        counts = [t.nbytes for t in gather_list]
        got = np.empty(sum(counts), np.uint8)
    elif gather_list:
        raise ValueError(
            "Argument ``gather_list`` must NOT be specified on non-destination ranks."
        )
    check_root(group, root, "gather")
    return start_nonblocking(
        group,
        f"gather({describe_tensor(tensor)}, dst={root})",
        lambda comm: comm.Igatherv(mine, None if got is None else [got, counts], root),
        lambda: [] if got is None else unflatten_into(got, gather_list or ()),
        (mine, got),
        f"{tensor.dtype} {tensor.numel() if equal_shapes else ''} {root}",
    )


@collective(tensor=check_tensor)
def scatter(
    tensor: Tensor,
    scatter_list: Sequence[Tensor] | None = None,
    src: int | None = None,
    group: Any = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work:
    """Give each rank its tensor of the list of rank `src`.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> parts = [torch.ones(2)] if dist.get_rank() == 0 else None
        >>> mine = torch.empty(2)
        >>> dist.scatter(mine, parts, src=0)
        >>> mine
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    root = root_in_group(group, src, group_src)
    given = None
    if group.rank() == root:
        if scatter_list is None or len(scatter_list) == 0:
            raise ValueError(
                "Argument ``scatter_list`` must be specified on source rank."
            )
        check_tensor_list(scatter_list, "scatter_list")
        check_one_tensor_per_rank(scatter_list, tensor, group, "scatter: input")
        given = np.concatenate([as_bytes(send_buffer(t)) for t in scatter_list])
    elif scatter_list:
        raise ValueError(
            "Argument ``scatter_list`` must NOT be specified on non-source ranks."
        )
    check_root(group, root, "scatter")
    array, write_back = receive_buffer(tensor)

    def finish() -> list[Tensor]:
        write_back()
        return [tensor]

    return start_nonblocking(
        group,
        f"scatter({describe_tensor(tensor)}, src={root})",
        lambda comm: comm.Iscatter(given, as_bytes(array), root),
        finish,
        (given, array),
        f"{type_signature(array)} {root}",
    )


@collective(output_tensor_list=check_tensor_list, input_tensor_list=check_tensor_list)
def all_to_all(
    output_tensor_list: Sequence[Tensor],
    input_tensor_list: Sequence[Tensor],
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Send tensor i of a list to rank i, and receive one from each rank.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> got = [torch.empty(2)]
        >>> dist.all_to_all(got, [torch.ones(2)])  # one tensor for each rank
        >>> got
        [tensor([1., 1.])]
        >>> dist.destroy_process_group()
    """
    for tensors in (output_tensor_list, input_tensor_list):
        if len(tensors) != group.size():
            raise ValueError(
                f"all_to_all needs a tensor for each of {group.size()} ranks, "
                f"got {len(tensors)}"
            )
    check_same_dtype([*output_tensor_list, *input_tensor_list], input_tensor_list[0])
    given = np.concatenate([as_bytes(send_buffer(t)) for t in input_tensor_list])
    sent = [t.nbytes for t in input_tensor_list]
    counts = [t.nbytes for t in output_tensor_list]
    got = np.empty(sum(counts), np.uint8)
    return start_nonblocking(
        group,
        "all_to_all",
        lambda comm: comm.Ialltoallv([given, sent], [got, counts]),
        lambda: unflatten_into(got, output_tensor_list),
        (given, got),
    )


@collective(output=check_tensor, input=check_tensor)
def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: Any = None,
    async_op: bool = False,
) -> Work:
    """Send parts of a tensor, split along dimension 0, to the ranks in turn.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> got = torch.empty(4)
        >>> dist.all_to_all_single(got, torch.arange(4.0))  # a part for each rank
        >>> got
        tensor([0., 1., 2., 3.])
        >>> dist.destroy_process_group()
    """
    check_same_dtype([output], input)
    given = as_bytes(send_buffer(input))
    array, write_back = receive_buffer(output)
    sent = _splits(input, input_split_sizes, group.size())
    counts = _splits(output, output_split_sizes, group.size())

    def finish() -> list[Tensor]:
        write_back()
        return [output]

    return start_nonblocking(
        group,
        "all_to_all_single",
        lambda comm: comm.Ialltoallv([given, sent], [as_bytes(array), counts]),
        finish,
        (given, array),
    )


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


@collective()
def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Work:
    """Wait until all ranks of the group have reached the barrier.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.barrier()
        >>> dist.destroy_process_group()
    """
    return start_nonblocking(
        group, "barrier()", lambda comm: comm.Ibarrier(), None, None
    )
