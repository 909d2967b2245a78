"""Collectives of Python objects: pickled, and sent as tensors of bytes.

Unpickling can run code of the sender, so ranks must trust each other.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.tensor import Tensor, wrap
from ..groups.group_registry import resolve_group
from ..groups.process_group import ProcessGroup
from .argument_checks import check_root, root_in_group
from .data_movement import all_gather, broadcast, gather_uneven, scatter
from .point_to_point import recv, send

__all__ = [
    "all_gather_object", "broadcast_object_list", "gather_object", "recv_object_list",
    "scatter_object_list", "send_object_list",
]  # fmt: skip


def _pickled(value: Any) -> Tensor:
    return wrap(np.frombuffer(pickle.dumps(value), np.uint8).copy())


def _unpickled(data: Tensor) -> Any:
    return pickle.loads(data._data.tobytes())  # noqa: S301 (of a rank of this program)


def _empty_bytes(size: int) -> Tensor:
    return wrap(np.empty(size, np.uint8))


def _all_gather_sizes(members: ProcessGroup, size: int) -> list[int]:
    """The sizes that all ranks have."""
    sizes = [wrap(np.empty(1, np.int64)) for _ in range(members.size())]
    all_gather(sizes, wrap(np.array([size])), members)
    return [int(s._data[0]) for s in sizes]


def broadcast_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: Any = None,
    device: Any = None,
    group_src: int | None = None,
) -> None:
    """Give every rank the objects of rank `src`, in a list of the same length.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> both = ["run 7", {"lr": 0.1}] if dist.get_rank() == 0 else [None, None]
        >>> dist.broadcast_object_list(both, src=0)
        >>> both  # on every rank
        ['run 7', {'lr': 0.1}]
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    if members is None:
        return
    root = root_in_group(members, src, group_src)
    check_root(members, root, "broadcast")
    mine = members.rank() == root
    parts = [_pickled(value) for value in object_list] if mine else []
    sizes = wrap(np.array([p.numel() for p in parts] or [0] * len(object_list)))
    broadcast(sizes, group=members, group_src=root)
    data = _empty_bytes(int(sizes._data.sum()))
    if mine and parts:
        data = wrap(np.concatenate([part._data for part in parts]))
    broadcast(data, group=members, group_src=root)
    if not mine:
        _unpickle_into(object_list, data, sizes)


def _unpickle_into(object_list: list[Any], data: Tensor, sizes: Tensor) -> None:
    """Unpickle the objects in `data`, one after another, into a list."""
    ends = np.cumsum(sizes._data)
    for i, (end, size) in enumerate(zip(ends, sizes._data, strict=True)):
        object_list[i] = _unpickled(wrap(data._data[end - size : end]))


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """Give every rank the objects of all ranks, in a list.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> every = [None] * dist.get_world_size()
        >>> dist.all_gather_object(every, {"rank": dist.get_rank()})
        >>> every
        [{'rank': 0}]
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    if members is None:
        return
    mine = _pickled(obj)
    parts = [_empty_bytes(size) for size in _all_gather_sizes(members, mine.numel())]
    all_gather(parts, mine, members)
    for i, part in enumerate(parts):
        object_list[i] = _unpickled(part)


def gather_object(
    obj: Any,
    object_gather_list: list[Any] | None = None,
    dst: int | None = None,
    group: Any = None,
    group_dst: int | None = None,
) -> None:
    """Give rank `dst` the objects of all ranks, in a list.

    Raises:
        ValueError: if rank `dst` has no list, or another one has.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> every = [None] if dist.get_rank() == 0 else None
        >>> dist.gather_object("ready", every, dst=0)
        >>> every
        ['ready']
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    if members is None:
        return
    root = root_in_group(members, dst, group_dst)
    here = members.rank() == root
    if here and not object_gather_list:
        raise ValueError(
            "Argument ``gather_list`` must be specified on destination rank."
        )
    if not here and object_gather_list:
        raise ValueError(
            "Argument ``gather_list`` must NOT be specified on non-destination ranks."
        )
    check_root(members, root, "gather")
    mine = _pickled(obj)
    sizes = _all_gather_sizes(members, mine.numel())
    parts = [_empty_bytes(size) for size in sizes] if here else None
    gather_uneven(mine, parts, members, group_dst=root)
    if parts is not None and object_gather_list is not None:
        object_gather_list[:] = [_unpickled(part) for part in parts]


def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: Sequence[Any] | None = None,
    src: int | None = None,
    group: Any = None,
    group_src: int | None = None,
) -> None:
    """Give each rank its object of the list of rank `src`, as element 0 of a list.

    Raises:
        ValueError: if the list to fill is empty, or rank `src` passes none.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> got = [None]
        >>> dist.scatter_object_list(got, ["a file for rank 0"], src=0)
        >>> got
        ['a file for rank 0']
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    if members is None:
        return
    if not isinstance(scatter_object_output_list, list) or (
        not scatter_object_output_list
    ):
        raise ValueError(
            "Expected argument scatter_object_output_list to be a list of size at "
            "least 1."
        )
    root = root_in_group(members, src, group_src)
    check_root(members, root, "scatter")
    parts: list[Tensor] = []
    if members.rank() == root:
        if scatter_object_input_list is None:
            raise ValueError(
                "source rank must provide non-None scatter_object_input_list"
            )
        parts = [_pickled(value) for value in scatter_object_input_list]
    largest = max(
        _all_gather_sizes(members, max([p.numel() for p in parts], default=0))
    )
    given = [_padded(part, largest) for part in parts] or None
    got = _empty_bytes(largest)
    scatter(got, given, group=members, group_src=root)
    scatter_object_output_list[0] = _unpickled(got)


def _padded(data: Tensor, size: int) -> Tensor:
    """Append zeros to a pickle, which marks its own end."""
    return wrap(np.pad(data._data, (0, size - data.numel())))


def send_object_list(
    object_list: Sequence[Any],
    dst: int | None = None,
    group: Any = None,
    device: Any = None,
    group_dst: int | None = None,
    use_batch: bool = False,
) -> None:
    """Send objects to a rank that calls `recv_object_list` with a list of this length.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.send_object_list(["ready"], dst=0)  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid destination rank
        >>> dist.destroy_process_group()
    """
    parts = [_pickled(value)._data for value in object_list]
    send(wrap(np.array([p.size for p in parts])), dst, group, group_dst=group_dst)
    send(wrap(np.concatenate(parts)), dst, group, group_dst=group_dst)


def recv_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: Any = None,
    device: Any = None,
    group_src: int | None = None,
    use_batch: bool = False,
) -> int:
    """Receive objects into a list, from any rank if `src` is None; returns the sender.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.recv_object_list([None], src=0)  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid source rank
        >>> dist.destroy_process_group()
    """
    sizes = wrap(np.zeros(len(object_list), np.int64))
    source = recv(sizes, src, group, group_src=group_src)
    if source < 0:
        return source
    data = _empty_bytes(int(sizes._data.sum()))
    recv(data, source, group)
    _unpickle_into(object_list, data, sizes)
    return source
