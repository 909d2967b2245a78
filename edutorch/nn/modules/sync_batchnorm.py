"""Batch normalisation with statistics over the batches of all processes.

Forward exchanges each process's mean, sum of squared deviations and count; backward
adds up the two sums over the batch that the formula of the gradient needs.
"""

from __future__ import annotations

from typing import Any

from ...autograd.function import Function
from ...distributed.collectives.data_movement import all_gather
from ...distributed.collectives.reductions import all_reduce
from ...distributed.groups.process_group import ProcessGroup
from ...ops.create.filled import zeros
from ...ops.shape.joining import cat, stack
from ...tensor.tensor import Tensor

__all__ = ["sync_batch_norm"]


def _statistics(x: Tensor, group: ProcessGroup) -> tuple[Tensor, Tensor, float]:
    """The mean, variance and count of each channel over all processes."""
    c = x.shape[1]
    rows = x.transpose(0, 1).reshape(c, -1)  # (C, values of this process)
    n = rows.shape[1]
    own = zeros(2 * c + 1, dtype=x.dtype, device=x.device)
    if n:
        mean = rows.mean(1)
        own = cat([mean, (rows - mean[:, None]).square().sum(1), own[:1] + n])
    parts = [zeros(2 * c + 1, dtype=x.dtype, device=x.device) for _ in group.ranks]
    all_gather(parts, own, group)
    every = stack(parts)  # (processes, 2 C + 1)
    means, squares, counts = every[:, :c], every[:, c:-1], every[:, -1:]
    total = counts.sum()
    mean = (means * counts).sum(0) / total
    between = (counts * (means - mean).square()).sum(0)
    return mean, (squares.sum(0) + between) / total, float(total.item())


class SyncBatchNorm(Function):
    """The normalisation and its gradients, with PyTorch's name."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Any, bias: Any, eps: float, group: Any, seen: Any
    ) -> Tensor:
        mean, var, total = _statistics(x, group)
        if total <= 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"{int(total)}"
            )
        shape = (1, -1) + (1,) * (x.ndim - 2)
        scale = (var + eps).rsqrt().view(shape)
        z = (x - mean.view(shape)) * scale
        seen(mean, var, total)
        ctx.save_for_backward(z, scale, weight)
        ctx.total, ctx.group, ctx.shape = total, group, shape
        y = z.clone() if weight is None else z * weight.view(shape)
        return y if bias is None else y + bias.view(shape)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        (g,) = grads
        z, scale, weight = ctx.saved_tensors
        batch = [d for d in range(g.ndim) if d != 1]
        gb, gw = g.sum(batch), (g * z).sum(batch)
        gx = None
        if ctx.needs_input_grad[0]:
            h = 1 if weight is None else weight
            sums = cat([gb * h, gw * h])
            all_reduce(sums, group=ctx.group)
            mean_h, mean_hz = (sums / ctx.total).view(2, *ctx.shape).unbind(0)
            gy = g if weight is None else g * weight.view(ctx.shape)
            gx = scale * (gy - mean_h - z * mean_hz)
        needs = ctx.needs_input_grad
        return gx, gw if needs[1] else None, gb if needs[2] else None, None, None, None


def sync_batch_norm(
    x: Tensor,
    running: tuple[Tensor | None, Tensor | None],
    weight: Tensor | None,
    bias: Tensor | None,
    share: float,
    eps: float,
    group: ProcessGroup,
) -> Tensor:
    """Normalise over the batches of all processes, and update the running statistics.

    Args:
        running: the running mean and variance, or None.
        share: the share of this batch in them.

    Raises:
        ValueError: for one value per channel.
    """

    def seen(mean: Tensor, var: Tensor, total: float) -> None:
        if running[0] is not None and running[1] is not None:
            running[0].mul_(1 - share).add_(mean, alpha=share)
            running[1].mul_(1 - share).add_(var, alpha=share * total / (total - 1))

    found: Tensor = SyncBatchNorm.apply(x, weight, bias, eps, group, seen)
    return found
