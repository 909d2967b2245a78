"""Autograd functions that copy between devices; backward copies in reverse.

Phases of a parallel step are marked for those who listen (`widgets.DeviceLanes`):
"scatter", "replicate", "parallel_apply" and "gather" in the forward pass, "backward"
and "reduce" in the backward pass.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ... import events
from ...autograd.final_callbacks import queue_callback
from ...autograd.function import Function
from ...tensor.tensor import Tensor
from . import comm

__all__ = ["Broadcast", "Gather", "ReduceAddCoalesced", "Scatter", "phase"]


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Mark a phase of a parallel step if there are listeners.

    Example:
        >>> with phase("scatter"):
        ...     pass
    """
    if not events.active:
        yield
        return
    events.mark(name, "begin", "phase")
    try:
        yield
    finally:
        events.mark(name, "end", "phase")


# Threads whose phase "backward" has begun but not ended.
_in_backward: set[int] = set()


def _begin_backward() -> None:
    """Mark the start of the replicas' backward, which ends with the pass or before."""
    if events.active:
        _in_backward.add(threading.get_ident())
        events.mark("backward", "begin", "phase")
        queue_callback(_end_backward)


def _end_backward() -> None:
    """Mark the end of this thread's replicas, if they had begun."""
    thread = threading.get_ident()
    if thread in _in_backward:
        _in_backward.discard(thread)
        events.mark("backward", "end", "phase")


class Broadcast(Function):
    """Copies of parameters on each device.

    Math: y_d = x      ∂L/∂x = Σ_d g_d
    """

    @staticmethod
    def forward(ctx: Any, devices: Sequence[Any], *tensors: Tensor) -> Any:
        """The copies, those of the first device first."""
        if any(t.device.type == "cpu" for t in tensors):
            raise AssertionError("Broadcast function not implemented for CPU tensors")
        ctx.where = [comm.gpu(d) for d in devices]
        ctx.count = len(tensors)
        if not tensors:
            return ()
        ctx.home = tensors[0].device
        copies = comm.broadcast_coalesced(tensors, ctx.where)
        constant = [
            c
            for i, needed in enumerate(ctx.needs_input_grad[1:])
            if not needed
            for c in (per_device[i] for per_device in copies)
        ]
        ctx.mark_non_differentiable(*constant)
        return tuple(t for per_device in copies for t in per_device)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Sum the gradients of all devices on the first one."""
        _end_backward()
        with phase("reduce"):
            return (None, *ReduceAddCoalesced.apply(ctx.home, ctx.count, *gradients))


class ReduceAddCoalesced(Function):
    """Sums of several tensors over devices.

    Math: y = Σ_d x_d      ∂L/∂x_d = g
    """

    @staticmethod
    def forward(ctx: Any, destination: Any, count: int, *gradients: Tensor) -> Any:
        """The sums on the destination."""
        ctx.where = [g.device for g in gradients[::count]]
        groups = [gradients[i : i + count] for i in range(0, len(gradients), count)]
        return comm.reduce_add_coalesced(groups, destination)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Copy the gradients to each device."""
        return (None, None, *Broadcast.apply(ctx.where, *gradients))


class Scatter(Function):
    """Parts of a tensor, each on a device.

    Math: (y_1, .., y_n) = parts of x      ∂L/∂x = the g_i joined
    """

    @staticmethod
    def forward(
        ctx: Any, devices: Sequence[Any], sizes: Any, dim: int, tensor: Tensor
    ) -> Any:
        """The parts."""
        ctx.dim, ctx.home = dim, tensor.device
        return comm.scatter(tensor, devices, sizes, dim)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Join the gradients on the device of the tensor."""
        return None, None, None, Gather.apply(ctx.home, ctx.dim, *gradients)


class Gather(Function):
    """Tensors from several devices, joined on one.

    Math: y = the x_i joined      ∂L/∂x_i = its part of g
    """

    @staticmethod
    def forward(ctx: Any, target: Any, dim: int, *tensors: Tensor) -> Any:
        """The joined tensor."""
        ctx.where, ctx.dim = [t.device for t in tensors], dim
        ctx.scalars = all(t.dim() == 0 for t in tensors) and dim == 0
        if ctx.scalars:
            tensors = tuple(t.view(1) for t in tensors)
            warnings.warn(
                "Was asked to gather along dimension 0, but all input tensors were "
                "scalars; will instead unsqueeze and return a vector.",
                stacklevel=4,
            )
        ctx.sizes = [t.size(dim) for t in tensors]
        return comm.gather(tensors, dim, target)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        """The part of the gradient for each device."""
        _begin_backward()
        parts = Scatter.apply(ctx.where, ctx.sizes, ctx.dim, gradient)
        if ctx.scalars:
            parts = tuple(part[0] for part in parts)
        return (None, None, *parts)
