"""Post-local SGD: average gradients over all ranks first, later over a few.

Later, `model_averaging` or `PostLocalSGDOptimizer` averages the models from time to
time.

Reference: Lin, Stich, Patel and Jaggi, "Don't Use Large Mini-Batches, Use Local SGD",
2018.
"""  # noqa: N999 (PyTorch's name)

from __future__ import annotations

from typing import Any

from ....futures import Future, completed
from ....tensor.tensor import Tensor
from ...groups.group_creation import new_subgroups
from ..grad_bucket import GradBucket, StepCounter
from .default_hooks import allreduce_hook

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState(StepCounter):
    """The settings of `post_localSGD_hook`.

    Args:
        process_group: the ranks that average first; None for all.
        subgroup: the ranks that average later; None for those of this machine.
        start_localSGD_iter: the number of steps after which only subgroups average.
        post_local_gradient_allreduce: False to use each rank's own gradients from then
            on.

    Example:
        >>> from edutorch.distributed.algorithms.ddp_comm_hooks import (
        ...     post_localSGD_hook,
        ... )
        >>> post_localSGD_hook.PostLocalSGDState(None, None, 100).iter
        0
    """

    def __init__(
        self,
        process_group: Any,
        subgroup: Any,
        start_localSGD_iter: int,
        post_local_gradient_allreduce: bool = True,
    ) -> None:
        self.process_group, self.subgroup = process_group, subgroup
        self.start_localSGD_iter = start_localSGD_iter
        self.post_local_gradient_allreduce = post_local_gradient_allreduce
        self.iter = 0


def post_localSGD_hook(  # noqa: N802 (PyTorch's name)
    state: PostLocalSGDState, bucket: GradBucket
) -> Future[Tensor]:
    """The average over all ranks, and after some steps over a subgroup.

    Example:
        >>> from edutorch.distributed.algorithms.ddp_comm_hooks import (
        ...     post_localSGD_hook,
        ... )
        >>> post_localSGD_hook.post_localSGD_hook.__name__
        'post_localSGD_hook'
    """
    if state.iter < state.start_localSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    if not state.post_local_gradient_allreduce:
        return completed(bucket.buffer())
    if state.subgroup is None:
        state.subgroup, _ = new_subgroups()
    return allreduce_hook(state.subgroup, bucket)
