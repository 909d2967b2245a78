"""The decorator of collectives, and the start of MPI's nonblocking calls.

A collective checks its arguments, resolves its group, starts MPI's nonblocking call
together with a fingerprint that all ranks compare, and waits unless `async_op=True`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

from ...tensor.tensor import Tensor
from ..groups.group_registry import resolve_group
from ..groups.process_group import ProcessGroup
from .buffers import as_bytes, receive_buffer
from .fingerprints import fingerprint
from .work import Work

__all__ = [
    "collective", "describe_tensor", "start_nonblocking", "type_signature",
    "unflatten_into", "wait_unless_async",
]  # fmt: skip

P = ParamSpec("P")


def start_nonblocking(
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
    group.start_collective(name)
    key = f"{name.partition('(')[0]} {key}"
    check = fingerprint(group.comm, name, key)
    return Work(group, name, [start(group.comm)], finish, keep=keep, check=check)


def collective(
    **checks: Callable[[Any, str], None],
) -> Callable[[Callable[P, Work]], Callable[P, Work | None]]:
    """Turn a function that starts a collective into a public collective.

    The function receives the group that its caller's argument means, and is not called
    in a process outside the group. Its work is waited for, except with `async_op=True`
    and inside a `_coalescing_manager`.

    Args:
        checks: for names of arguments, the functions that refuse other types.
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
            given["group"] = group = resolve_group(given["group"])
            if group is None:
                return None
            return wait_unless_async(
                group, start(*bound.args, **bound.kwargs), given["async_op"]
            )

        return call

    return decorate


def wait_unless_async(group: ProcessGroup, work: Work, async_op: bool) -> Work | None:
    """The work itself, or None once it is done."""
    if group.coalesced_works is not None:
        group.coalesced_works.append(work)
    elif not async_op:
        work.wait()
    return work if async_op else None


def describe_tensor(tensor: Tensor) -> str:
    """A tensor in messages: `float32 (2, 3)`."""
    return f"{tensor._data.dtype.name} {tuple(tensor.shape)}"


def type_signature(array: Any) -> str:
    """The dtype and number of elements, on which all ranks must agree."""
    return f"{array.dtype.name} {array.size}"


def unflatten_into(got: Any, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Write bytes, one tensor after the other, into tensors."""
    start = 0
    for tensor in tensors:
        array, write_back = receive_buffer(tensor)
        as_bytes(array)[:] = got[start : start + array.nbytes]
        start += array.nbytes
        write_back()
    return list(tensors)
