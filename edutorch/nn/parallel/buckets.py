"""Buckets: groups of gradients sent together, and tensors concatenated into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...autograd.modes import no_grad
from ...distributed.collectives.data_movement import broadcast
from ...distributed.groups.group_registry import get_global_rank
from ...distributed.groups.process_group import ProcessGroup
from ...ops.create.filled import zeros
from ...ops.shape.joining import cat
from ...tensor.tensor import Tensor

__all__ = ["Bucket", "assign_buckets", "broadcast_coalesced"]

MB = 1024 * 1024
FIRST_BUCKET_BYTES = MB  # small, so that communication starts early


def _dtype_and_device(tensor: Tensor) -> tuple[Any, ...]:
    """The key that tensors in one flat tensor have in common."""
    return tensor.dtype, tensor.device


def assign_buckets(
    parameters: Sequence[Tensor], cap: int, first: int = FIRST_BUCKET_BYTES
) -> list[list[int]]:
    """Indices of parameters by bucket, in the order in which gradients become ready.

    The last parameters have their gradients first. A bucket is full when it holds
    `cap` bytes or more, the first one `first`.

    Example:
        >>> import edutorch as torch
        >>> assign_buckets([torch.zeros(4) for _ in range(5)], cap=32, first=16)
        [[4], [3, 2], [1, 0]]
    """
    full: list[list[int]] = []
    open_buckets: dict[Any, list[int]] = {}
    sizes: dict[Any, int] = {}
    limits: dict[Any, int] = {}
    for i in reversed(range(len(parameters))):
        p = parameters[i]
        kind = _dtype_and_device(p)
        open_buckets.setdefault(kind, []).append(i)
        sizes[kind] = sizes.get(kind, 0) + p.numel() * p.element_size()
        if sizes[kind] >= limits.get(kind, min(first, cap)):
            full.append(open_buckets.pop(kind))
            sizes[kind], limits[kind] = 0, cap
    return sorted([*full, *open_buckets.values()], key=lambda b: -b[0])


class Bucket:
    """A flat tensor that contains several gradients.

    Attributes:
        indices: the numbers of the parameters.
        views: the part of each gradient, in the shape of its parameter.
        missing: the parameters whose gradients are still to come.
    """

    def __init__(self, indices: Sequence[int], parameters: Sequence[Tensor]) -> None:
        self.indices = list(indices)
        self.parameters = [parameters[i] for i in indices]
        one = self.parameters[0]
        total = sum(p.numel() for p in self.parameters)
        self.buffer = zeros(total, dtype=one.dtype, device=one.device)
        self.views: dict[int, Tensor] = {}
        start = 0
        for i, p in zip(self.indices, self.parameters, strict=True):
            self.views[i] = self.buffer[start : start + p.numel()].view(p.shape)
            start += p.numel()
        self.pending = set(self.indices)
        self.future: Any = None  # a future of the sum


def broadcast_coalesced(
    tensors: Iterable[Tensor], source: int, group: ProcessGroup
) -> None:
    """Broadcast one process's tensors, in one message per dtype and device.

    Args:
        source: the rank, in the group, whose values are sent.
    """
    kinds: dict[Any, list[Tensor]] = {}
    for tensor in tensors:
        kinds.setdefault(_dtype_and_device(tensor), []).append(tensor)
    with no_grad():
        for several in kinds.values():
            flat = cat([tensor.detach().reshape(-1) for tensor in several])
            broadcast(flat, get_global_rank(group, source), group)
            start = 0
            for tensor in several if group.rank() != source else ():
                size = tensor.numel()
                tensor.detach().copy_(flat[start : start + size].view(tensor.shape))
                start += size
