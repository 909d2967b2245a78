"""Collectives that return tensors and have gradients.

The gradient of a collective is a collective in the opposite direction: the gradients of
a tensor that was sent to several ranks are summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...autograd.function import Function
from ...ops.create.like import empty_like, zeros_like
from ...tensor.tensor import Tensor
from ..collectives import data_movement, reductions
from ..collectives.reduce_op import ReduceOp
from ..groups.group_registry import get_rank, get_world_size

__all__ = [
    "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast",
    "gather", "reduce", "reduce_scatter", "scatter",
]  # fmt: skip


def _copy(x: Tensor) -> Tensor:
    return x.detach().clone()


def _empty_per_rank(x: Tensor, group: Any) -> list[Tensor]:
    """An uninitialized tensor for each rank."""
    return [empty_like(x) for _ in range(get_world_size(group))]


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, x: Tensor) -> Tensor:
        ctx.op, ctx.group = op, group
        out = _copy(x)
        reductions.all_reduce(out, op, group)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, _AllReduce.apply(ctx.op, ctx.group, grads[0])


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None) -> Tensor:
    """The sum of the tensors of all ranks.

    Math:
        y = sum_r x_r on every rank.
        gx = sum_r gy_r

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.all_reduce(x)
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: Tensor = _AllReduce.apply(op, group, tensor)
    return found


class _Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, x: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        out = _copy(x)
        data_movement.broadcast(out, src, group)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        g = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, grads[0])
        if ctx.src != get_rank():
            g = zeros_like(g)
        return None, None, g


def broadcast(tensor: Tensor, src: int, group: Any = None) -> Tensor:
    """The tensor of rank `src`, on every rank.

    Math:
        y = x_src on every rank.
        gx = sum_r gy_r on rank src, 0 elsewhere.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.broadcast(x, src=0)
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: Tensor = _Broadcast.apply(src, group, tensor)
    return found


class _Reduce(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, op: Any, group: Any, x: Tensor) -> Tensor:
        ctx.dst, ctx.group = dst, group
        out = _copy(x)
        reductions.reduce(out, dst, op, group)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, grads[0])


def reduce(
    tensor: Tensor, dst: int, op: Any = ReduceOp.SUM, group: Any = None
) -> Tensor:
    """The sum of the tensors of all ranks, on rank `dst`; others get their own tensor.

    Math:
        y = sum_r x_r on rank dst.
        gx = gy_dst

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.reduce(x, dst=0)
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: Tensor = _Reduce.apply(dst, op, group, tensor)
    return found


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, x: Tensor) -> tuple[Tensor, ...]:
        ctx.group = group
        out = _empty_per_rank(x, group)
        data_movement.all_gather(out, x.detach().contiguous(), group)
        return tuple(out)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, _ReduceScatter.apply(ReduceOp.SUM, ctx.group, *grads)


def all_gather(tensor: Tensor, group: Any = None) -> tuple[Tensor, ...]:
    """The tensors of all ranks, on every rank.

    Math:
        y_i = x_i for each rank i, on every rank.
        gx on rank i = sum_r gy_i of rank r.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.cat(F.all_gather(x))
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: tuple[Tensor, ...] = _AllGather.apply(group, tensor)
    return found


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, *xs: Tensor) -> Tensor:
        ctx.group = group
        out = empty_like(xs[0])
        reductions.reduce_scatter(out, [x.detach() for x in xs], op, group)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, *_AllGather.apply(ctx.group, grads[0])


def reduce_scatter(
    output: Tensor,
    input_list: Sequence[Tensor],
    op: Any = ReduceOp.SUM,
    group: Any = None,
) -> Tensor:
    """The sum over all ranks of tensor i of the lists, on rank i.

    Math:
        y on rank i = sum_r x_i of rank r.
        gx_i = gy of rank i.

    Args:
        output: gives shape and dtype; the result is a new tensor.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.reduce_scatter(torch.empty(2), [x])
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: Tensor = _ReduceScatter.apply(op, group, *input_list)
    return found


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, group: Any, x: Tensor) -> tuple[Tensor, ...]:
        ctx.dst, ctx.group = dst, group
        here = get_rank(group) == dst
        out = [zeros_like(x) for _ in range(get_world_size(group))]
        data_movement.gather(
            x.detach(), out if here else None, group=group, group_dst=dst
        )
        return tuple(out)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grads)


def gather(tensor: Tensor, dst: int = 0, group: Any = None) -> tuple[Tensor, ...]:
    """The tensors of all ranks, on rank `dst` of the group; zeros elsewhere.

    Math:
        y_i = x_i for each rank i, on rank dst.
        gx on rank i = gy_i of rank dst.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.cat(F.gather(x, dst=0))
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: tuple[Tensor, ...] = _Gather.apply(dst, group, tensor)
    return found


class _Scatter(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, *xs: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        out = zeros_like(xs[0])
        given = [x.detach() for x in xs] if get_rank(group) == src else None
        data_movement.scatter(out, given, group=group, group_src=src)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, *_Gather.apply(ctx.src, ctx.group, grads[0])


def scatter(tensors: Sequence[Tensor], src: int = 0, group: Any = None) -> Tensor:
    """Tensor i of the list of rank `src` of the group, on rank i.

    Math:
        y on rank i = x_i of rank src.
        gx_i on rank src = gy of rank i, 0 elsewhere.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.scatter([x], src=0)
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    found: Tensor = _Scatter.apply(src, group, *tensors)
    return found


class _AllToAll(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, shapes: Any, *xs: Tensor) -> tuple[Tensor, ...]:
        ctx.group, ctx.shapes = group, [x.shape for x in xs]
        out = [xs[0].new_empty(shape) for shape in shapes]
        data_movement.all_to_all(out, [x.detach() for x in xs], group)
        return tuple(out)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, *_AllToAll.apply(ctx.group, ctx.shapes, *grads)


def all_to_all(
    output_tensor_list: Sequence[Tensor],
    input_tensor_list: Sequence[Tensor],
    group: Any = None,
) -> tuple[Tensor, ...]:
    """Send tensor i of a list to rank i, and receive one from each rank.

    Math:
        y_i on rank r = x_r of rank i.
        gx_i on rank r = gy_r of rank i.

    Args:
        output_tensor_list: gives the shapes; the results are new tensors.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.cat(F.all_to_all([torch.empty(2)], [x]))
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    shapes = [t.shape for t in output_tensor_list]
    found: tuple[Tensor, ...] = _AllToAll.apply(group, shapes, *input_tensor_list)
    return found


class _AllToAllSingle(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, shape: Any, splits: Any, x: Tensor) -> Tensor:
        ctx.group, ctx.shape, ctx.splits = group, x.shape, splits[::-1]
        out = x.new_empty(shape)
        data_movement.all_to_all_single(out, x.detach(), splits[0], splits[1], group)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        g = _AllToAllSingle.apply(ctx.group, ctx.shape, ctx.splits, grads[0])
        return None, None, None, g


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: Any = None,
) -> Tensor:
    """Send parts of a tensor, split along dimension 0, to the ranks in turn.

    Math:
        part i of y on rank r = part r of x on rank i.
        part i of gx on rank r = part r of gy on rank i.

    Args:
        output: gives the shape; the result is a new tensor.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> from edutorch.distributed.nn import functional as F
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = F.all_to_all_single(torch.empty(2), x)
        >>> (y * 3).sum().backward()
        >>> x.grad  # on four ranks a sum over them
        tensor([3., 3.])
        >>> dist.destroy_process_group()
    """
    splits = (output_split_sizes, input_split_sizes)
    found: Tensor = _AllToAllSingle.apply(group, output.shape, splits, input)
    return found
