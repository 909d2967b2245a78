"""What every collective does first and last.

It checks its arguments, finds its group, counts itself, tells the others its name,
begins, and waits.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

from ...tensor.tensor import Tensor
from ..groups.membership import member_group
from ..groups.process_group import ProcessGroup
from .buffers import as_bytes, writable
from .fingerprints import fingerprint
from .work import Work

__all__ = [
    "about", "begin", "check_list", "check_total", "collective", "count", "end",
    "local_root", "spread",
]  # fmt: skip

P = ParamSpec("P")


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


def collective(
    **checks: Callable[[Any, str], None],
) -> Callable[[Callable[P, Work]], Callable[P, Work | None]]:
    """Make a collective of a function that begins one.

    The function gets the group itself in place of what its caller named. It is not
    called in a process outside the group. What it has begun is waited for, except with
    `async_op=True`, and among other collectives of a `_coalescing_manager`.

    Args:
        checks: for names of arguments, what refuses other types.
    """

    def decorate(start: Callable[P, Work]) -> Callable[P, Work | None]:
        signature = inspect.signature(start)

        @functools.wraps(start)
        def call(*args: P.args, **kwargs: P.kwargs) -> Work | None:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            for name, check in checks.items():
                check(given[name], name)
            given["group"] = group = member_group(given["group"])
            if group is None:
                return None
            return end(group, start(*bound.args, **bound.kwargs), given["async_op"])

        return call

    return decorate


def end(group: ProcessGroup, work: Work, async_op: bool) -> Work | None:
    """The work itself, or None once it is done."""
    if group.batch is not None:
        group.batch.append(work)
    elif not async_op:
        work.wait()
    return work if async_op else None


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


def about(tensor: Tensor) -> str:
    """A tensor in messages: `float32 (2, 3)`."""
    return f"{tensor._data.dtype.name} {tuple(tensor.shape)}"


def count(array: Any) -> str:
    """What all ranks must agree on: the dtype and the number of elements."""
    return f"{array.dtype.name} {array.size}"


def spread(got: Any, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Write bytes, one tensor after the other, into tensors."""
    start = 0
    for tensor in tensors:
        array, changed = writable(tensor)
        as_bytes(array)[:] = got[start : start + array.nbytes]
        start += array.nbytes
        changed()
    return list(tensors)


def check_list(
    tensors: Sequence[Tensor], tensor: Tensor, members: ProcessGroup, what: str
) -> None:
    """One tensor of the list for each rank, all of one dtype.

    Args:
        what: the function and the list: "allgather: output".
    """
    if len(tensors) != members.size():
        function, _, which = what.partition(": ")
        raise RuntimeError(
            f"ProcessGroupGloo::{function}: invalid {which} tensor list at index 0 "
            f"(expected length "
            f"{members.size()}, got {len(tensors)})"
        )
    for i, other in enumerate(tensors):
        if other.dtype != tensor.dtype:
            raise ValueError(
                "Invalid usage of tensors with different dtypes: "
                f"number {i} of the list has {other.dtype}, not {tensor.dtype}"
            )


def check_total(
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
