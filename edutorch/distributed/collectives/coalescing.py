"""Coalescing: several collectives are started, then all are waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from ...tensor.tensor import Tensor
from ..groups.group_registry import resolve_group
from .argument_checks import check_reduce_op, check_tensor_list
from .data_movement import all_gather
from .reduce_op import ReduceOp
from .reductions import all_reduce
from .work import Work

__all__ = [
    "CoalescedWork", "_coalescing_manager", "all_gather_coalesced",
    "all_reduce_coalesced",
]  # fmt: skip


class CoalescedWork:
    """The work of several collectives that have been started.

    Attributes:
        works: the work of each.
    """

    def __init__(self) -> None:
        self.works: list[Work] = []

    def append(self, work: Work) -> None:
        """Add the work of another collective."""
        self.works.append(work)

    def is_completed(self) -> bool:
        """Whether all have ended; does not wait."""
        return all(work.is_completed() for work in self.works)

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait until all have ended.

        Raises:
            DistBackendError: if one of them fails.
        """
        for work in self.works:
            work.wait(timeout)
        return True


@contextmanager
def _coalescing_manager(
    group: Any = None, device: Any = None, async_ops: bool = False
) -> Iterator[CoalescedWork]:
    """A block whose collectives and messages start in it and end together after it.

    Their results are complete after the block or, with `async_ops=True`, after `wait()`
    on the value of the `with` statement.

    Raises:
        ValueError: inside another such block of the same group.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed import _coalescing_manager
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x, y = torch.ones(2), torch.zeros(2)
        >>> with _coalescing_manager():
        ...     dist.all_reduce(x)
        ...     dist.all_gather_into_tensor(y, x)
        >>> y
        tensor([1., 1.])
        >>> dist.destroy_process_group()
    """
    members = resolve_group(group)
    works = CoalescedWork()
    if members is None:
        yield works
        return
    if members.coalesced_works is not None:
        raise ValueError(
            "ProcessGroup has non-empty op list at the start of coalescing: blocks of "
            "one group cannot be nested"
        )
    members.coalesced_works = works.works
    try:
        yield works
    finally:
        members.coalesced_works = None
    if not async_ops:
        works.wait()


def _wait_unless_async(
    works: CoalescedWork, group: Any, async_op: bool
) -> CoalescedWork | None:
    """The works if `async_op`; otherwise None, after waiting for them."""
    if resolve_group(group) is None:
        return None
    if async_op:
        return works
    works.wait()
    return None


def all_reduce_coalesced(
    tensors: Sequence[Tensor],
    op: Any = ReduceOp.SUM,
    group: Any = None,
    async_op: bool = False,
) -> CoalescedWork | None:
    """Replace each of several tensors by its sum (or `op`) over all ranks.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> pair = [torch.ones(2), torch.zeros(1)]
        >>> dist.all_reduce_coalesced(pair)
        >>> pair  # on four ranks 4. and 0.
        [tensor([1., 1.]), tensor([0.])]
        >>> dist.destroy_process_group()
    """
    check_tensor_list(tensors, "tensor")
    check_reduce_op("AllreduceCoalescedOptions")(op, "op")
    with _coalescing_manager(group, async_ops=True) as works:
        for tensor in tensors:
            all_reduce(tensor, op, group)
    return _wait_unless_async(works, group, async_op)


def all_gather_coalesced(
    output_tensor_lists: Sequence[Sequence[Tensor]],
    input_tensor_list: Sequence[Tensor],
    group: Any = None,
    async_op: bool = False,
) -> CoalescedWork | None:
    """Give every rank the lists of tensors of all ranks, one list per rank.

    Raises:
        RuntimeError: unless each list of the output has a tensor for each input.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mine = [torch.ones(2), torch.zeros(1)]
        >>> lists = [[torch.empty(2), torch.empty(1)]]  # one for each rank
        >>> dist.all_gather_coalesced(lists, mine)
        >>> lists[0]
        [tensor([1., 1.]), tensor([0.])]
        >>> dist.destroy_process_group()
    """
    check_tensor_list(input_tensor_list, "tensor")
    for output in output_tensor_lists:
        check_tensor_list(output, "output_tensor_lists")
        if len(output) != len(input_tensor_list):
            raise RuntimeError(
                "invalid output size: each list needs a tensor for each of "
                f"{len(input_tensor_list)} inputs, one has {len(output)}"
            )
    with _coalescing_manager(group, async_ops=True) as works:
        for i, tensor in enumerate(input_tensor_list):
            all_gather([output[i] for output in output_tensor_lists], tensor, group)
    return _wait_unless_async(works, group, async_op)
