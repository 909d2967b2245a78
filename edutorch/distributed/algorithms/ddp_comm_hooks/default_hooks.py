"""Averages of gradients: as they are, and rounded to 16 bits on the way.

A hook gets its state (a process group, or None for all processes) and a bucket, and
returns a future of the averaged bucket.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .... import dtypes
from ....futures import Future
from ....tensor.tensor import Tensor
from ...collectives.reductions import all_reduce
from ...groups.group_registry import get_world_size
from ..grad_bucket import GradBucket

__all__ = [
    "allreduce_hook", "bf16_compress_hook", "bf16_compress_wrapper",
    "fp16_compress_hook", "fp16_compress_wrapper",
]  # fmt: skip


def _average(group: Any, tensor: Tensor) -> Future[Tensor]:
    """Divide by the number of processes, and start the sum over them."""
    tensor.div_(get_world_size(group))
    work = all_reduce(tensor, group=group, async_op=True)
    if work is None:
        raise RuntimeError("this process is not in the group of the hook")
    return work.get_future().then(lambda done: done.value()[0])


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Future[Tensor]:
    """The average, as without a hook.

    Example:
        >>> import edutorch as torch
        >>> hooks = torch.distributed.algorithms.ddp_comm_hooks.default_hooks
        >>> hooks.allreduce_hook.__name__  # ddp.register_comm_hook(None, it)
        'allreduce_hook'
    """
    return _average(process_group, bucket.buffer())


def _compress_hook(dtype: Any, group: Any, bucket: GradBucket) -> Future[Tensor]:
    whole = bucket.buffer()
    small = whole.to(dtype)

    def decompress(done: Future[Tensor]) -> Tensor:
        return whole.copy_(done.value())

    return _average(group, small).then(decompress)


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Future[Tensor]:
    """The average of gradients rounded to `float16`: half the bytes.

    Example:
        >>> import edutorch as torch
        >>> hooks = torch.distributed.algorithms.ddp_comm_hooks.default_hooks
        >>> hooks.fp16_compress_hook.__name__  # ddp.register_comm_hook(None, it)
        'fp16_compress_hook'
    """
    return _compress_hook(dtypes.float16, process_group, bucket)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Future[Tensor]:
    """The average of gradients rounded to `bfloat16`: half the bytes.

    Example:
        >>> import edutorch as torch
        >>> hooks = torch.distributed.algorithms.ddp_comm_hooks.default_hooks
        >>> hooks.bf16_compress_hook.__name__  # ddp.register_comm_hook(None, it)
        'bf16_compress_hook'
    """
    return _compress_hook(dtypes.bfloat16, process_group, bucket)


def _compress_wrapper(dtype: Any, hook: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(state: Any, bucket: GradBucket) -> Future[Tensor]:
        whole = bucket.buffer()
        bucket.set_buffer(whole.to(dtype))

        def decompress(done: Future[Tensor]) -> Tensor:
            return whole.copy_(done.value())

        found: Future[Tensor] = hook(state, bucket).then(decompress)
        return found

    return wrapped


def fp16_compress_wrapper(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that gives another one the gradients in `float16`.

    Example:
        >>> import edutorch as torch
        >>> hooks = torch.distributed.algorithms.ddp_comm_hooks.default_hooks
        >>> callable(hooks.fp16_compress_wrapper(hooks.allreduce_hook))
        True
    """
    return _compress_wrapper(dtypes.float16, hook)


def bf16_compress_wrapper(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that gives another one the gradients in `bfloat16`.

    Example:
        >>> import edutorch as torch
        >>> hooks = torch.distributed.algorithms.ddp_comm_hooks.default_hooks
        >>> callable(hooks.bf16_compress_wrapper(hooks.allreduce_hook))
        True
    """
    return _compress_wrapper(dtypes.bfloat16, hook)
