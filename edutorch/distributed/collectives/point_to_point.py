"""Point-to-point operations: send, recv, isend, irecv, and batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tensor.tensor import Tensor
from ..groups.group_registry import resolve_group
from ..groups.process_group import ProcessGroup
from .argument_checks import check_tensor, root_in_group
from .buffers import as_bytes, receive_buffer, send_buffer
from .work import Work

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


def isend(
    tensor: Tensor,
    dst: int | None = None,
    group: Any = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> Work | None:
    """Start to send a tensor, which must not change until the work is done.

    Raises:
        ValueError: for a destination that is this rank itself or not in the group.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.isend(torch.ones(1), dst=0).wait()  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid destination rank
        >>> dist.destroy_process_group()
    """
    check_tensor(tensor, "tensor")
    members = resolve_group(group)
    if members is None:
        return None
    place = _peer_in_group(members, dst, group_dst, "destination")
    array = as_bytes(send_buffer(tensor))
    name = f"send to rank {members.ranks[place]}"
    members.start_collective(name)
    request = members.comm.Isend(array, place, tag)
    work = Work(members, name, [request], None, [members.ranks[place]], keep=array)
    if members.coalesced_works is not None:
        members.coalesced_works.append(work)
    return work


def irecv(
    tensor: Tensor,
    src: int | None = None,
    group: Any = None,
    tag: int = 0,
    group_src: int | None = None,
) -> RecvWork | None:
    """Start to receive a tensor, from any rank if none is named.

    Raises:
        ValueError: for a source that is this rank itself or not in the group.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.irecv(torch.empty(1), src=0).wait()  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid source rank
        >>> dist.destroy_process_group()
    """
    check_tensor(tensor, "tensor")
    members = resolve_group(group)
    if members is None:
        return None
    mpi = members.world.mpi
    place, ranks, name = mpi.ANY_SOURCE, members.ranks, "receive from any rank"
    if src is not None or group_src is not None:
        place = _peer_in_group(members, src, group_src, "source")
        ranks = [members.ranks[place]]
        name = f"receive from rank {ranks[0]}"
    array, write_back = receive_buffer(tensor)
    members.start_collective(name)
    request = members.comm.Irecv(as_bytes(array), place, tag)
    work = RecvWork(members, name, request, (array, write_back, tensor), ranks)
    if members.coalesced_works is not None:
        members.coalesced_works.append(work)
    return work


class RecvWork(Work):
    """A message in transit; its `source` is known once it has arrived."""

    def __init__(
        self,
        group: ProcessGroup,
        name: str,
        request: Any,
        into: Any,
        ranks: Sequence[int],
    ) -> None:
        self._status = group.world.mpi.Status()
        self._into = into
        super().__init__(
            group, name, [request], self._check_and_finish, ranks, keep=into[0]
        )

    def source_rank(self) -> int:
        """The rank that sent the message."""
        return int(self._group.ranks[self._status.Get_source()])

    def _test(self, request: Any) -> bool:
        return bool(request.Test(self._status))

    def _check_and_finish(self) -> list[Tensor]:
        array, write_back, tensor = self._into
        got = self._status.Get_count(self._group.world.mpi.BYTE)
        if got != array.nbytes:
            raise RuntimeError(
                f"{self._name}: the message has {got} bytes, the tensor of shape "
                f"{tuple(tensor.shape)} and {tensor.dtype} has {array.nbytes}"
            )
        write_back()
        return [tensor]


def send(
    tensor: Tensor,
    dst: int | None = None,
    group: Any = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> None:
    """Send a tensor to a rank; returns once the tensor may change.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.send(torch.ones(1), dst=0)  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid destination rank
        >>> dist.destroy_process_group()
    """
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(
    tensor: Tensor,
    src: int | None = None,
    group: Any = None,
    tag: int = 0,
    group_src: int | None = None,
) -> int:
    """Receive a tensor, from any rank if none is named; returns the sender's rank.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> try:
        ...     dist.recv(torch.empty(1), src=0)  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid source rank
        >>> dist.destroy_process_group()
    """
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work.source_rank()


def _peer_in_group(
    members: ProcessGroup, rank: int | None, group_rank: int | None, what: str
) -> int:
    """The rank in the group of the other process."""
    group_rank = root_in_group(members, rank, group_rank, default=None)
    if not 0 <= group_rank < members.size():
        raise ValueError(
            f"Invalid {what} rank: {group_rank} is not one of the {members.size()} "
            "ranks of the group."
        )
    if group_rank == members.rank():
        raise ValueError(
            f"Invalid {what} rank: {what} rank should not be the same as the rank of "
            "the current process."
        )
    return group_rank


class P2POp:
    """One message of `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`.
        peer: the other rank.

    Raises:
        ValueError: for another function.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> op = dist.P2POp(dist.isend, torch.ones(1), peer=1)
        >>> op.op is dist.isend, op.peer
        (True, 1)
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        op: Any,
        tensor: Tensor,
        peer: int | None = None,
        group: Any = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> None:
        if op not in {isend, irecv}:
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type "
                "``torch.distributed.isend`` or ``torch.distributed.irecv``."
            )
        check_tensor(tensor, "tensor")
        self.op, self.tensor, self.peer = op, tensor, peer
        self.group, self.tag, self.group_peer = group, tag, group_peer


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    """Start several messages together; returns the work of each.

    Raises:
        ValueError: for elements that are not `P2POp`.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x, got = torch.ones(1), torch.empty(1)
        >>> ops = [dist.P2POp(dist.isend, x, 0), dist.P2POp(dist.irecv, got, 0)]
        >>> try:
        ...     works = dist.batch_isend_irecv(ops)  # needs two ranks
        ... except ValueError as error:
        ...     print(str(error).partition(":")[0])
        Invalid destination rank
        >>> dist.destroy_process_group()
    """
    if not p2p_op_list or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type "
            "``torch.distributed.P2POp``."
        )
    works = [
        op.op(op.tensor, op.peer, op.group, op.tag, op.group_peer) for op in p2p_op_list
    ]
    return [work for work in works if work is not None]
