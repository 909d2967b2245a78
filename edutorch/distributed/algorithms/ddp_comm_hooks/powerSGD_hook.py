"""PowerSGD: gradients are sent as products of two thin matrices.

A gradient of shape (n, m) is approximated by P Qᵀ with few columns, from one step of
the power method: P = M Q, summed over ranks and orthogonalized; Q = Mᵀ P, averaged over
ranks. Instead of n·m numbers, (n + m)·rank are sent. Each rank keeps the error of its
approximation and adds it to its next gradient (error feedback).

Reference: Vogels, Karimireddy and Jaggi, "PowerSGD: Practical Low-Rank Gradient
Compression for Distributed Optimization", 2019.
"""  # noqa: N999 (PyTorch's name)

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .... import dtypes
from ....futures import Future, completed
from ....ops.create.filled import empty, zeros
from ....ops.linalg.cholesky_qr import linalg_qr
from ....ops.matmul.batched_products import bmm
from ....ops.reduce.norms import vector_norm
from ....ops.sampling.creation import randn
from ....ops.shape.joining import cat, stack
from ....random.generator import fork_rng, manual_seed
from ....tensor.tensor import Tensor
from ...collectives.reductions import all_reduce
from ...groups.group_registry import default_group, get_world_size
from ..grad_bucket import GradBucket, StepCounter
from .default_hooks import allreduce_hook

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]

logger = logging.getLogger(__name__)


class PowerSGDState(StepCounter):
    """The settings of `powerSGD_hook`, and what it keeps from step to step.

    Args:
        process_group: the ranks that average; None for all.
        matrix_approximation_rank: the number of columns of P and Q.
        start_powerSGD_iter: how many steps are averaged without compression first.
        min_compression_rate: a gradient is compressed if it has more than this many
            times the elements of its P and Q.
        use_error_feedback: add the error of the approximation to the next gradient.
        warm_start: begin with the Q of the previous step, not with a random one.
        orthogonalization_epsilon: added to the norms of columns, which may be zero.
        random_seed: the same on all ranks.
        compression_stats_logging_frequency: the number of steps between logs of the
            compression rate.
        batch_tensors_with_same_shape: multiply matrices of one shape in one batch.

    Attributes:
        iter: the number of steps so far.
        error_dict: the errors of the approximations, by bucket number.
        p_memory_dict, q_memory_dict: the matrices of each bucket, flat.

    Raises:
        ValueError: for `start_powerSGD_iter` below 2 with error feedback or warm start.

    Example:
        >>> from edutorch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
        >>> state = powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=2)
        >>> state.compression_stats()  # ddp.register_comm_hook(state, powerSGD_hook)
        (0, 0, 0)
    """

    def __init__(
        self,
        process_group: Any,
        matrix_approximation_rank: int = 1,
        start_powerSGD_iter: int = 1_000,
        min_compression_rate: float = 2,
        use_error_feedback: bool = True,
        warm_start: bool = True,
        orthogonalization_epsilon: float = 0,
        random_seed: int = 0,
        compression_stats_logging_frequency: int = 10_000,
        batch_tensors_with_same_shape: bool = False,
    ) -> None:
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(
                "Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or "
                "`warm_start` is enabled, because PowerSGD can only be applied after "
                "the first two iterations in DDP."
            )
        self.process_group = process_group
        self.matrix_approximation_rank = matrix_approximation_rank
        self.start_powerSGD_iter = start_powerSGD_iter
        self.min_compression_rate = min_compression_rate
        self.use_error_feedback, self.warm_start = use_error_feedback, warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.rng = np.random.RandomState(random_seed)
        self.error_dict: dict[int, Tensor] = {}
        self.p_memory_dict: dict[int, Tensor] = {}
        self.q_memory_dict: dict[int, Tensor] = {}
        self.iter = 0
        self.total_numel_before_compression = self.total_numel_after_compression = 0
        self.compression_stats_logging_frequency = max(
            1, compression_stats_logging_frequency
        )
        self.next_stats_report = 0
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape

    def __getstate__(self) -> dict[str, Any]:
        """All attributes except the group, which cannot be pickled."""
        logger.warning(
            "NOTE: Process group is not serializable and excluded from a saved state."
        )
        return {k: v for k, v in self.__dict__.items() if k != "process_group"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the attributes; the group becomes the default one."""
        self.__dict__.update(state, process_group=default_group())

    def compression_stats(self) -> tuple[float, int, int]:
        """The compression rate, and the elements before and after compression."""
        before = self.total_numel_before_compression
        after = self.total_numel_after_compression
        return before / after if after else 0, before, after

    def report(self, bucket: GradBucket) -> None:
        """Log the rate of compression now and then."""
        if bucket.is_last() and self.iter >= self.next_stats_report:
            logger.info(
                "PowerSGD, iteration %s: rate %s, %s elements before, %s after",
                self.iter,
                *self.compression_stats(),
            )
            self.next_stats_report = (
                self.iter + self.compression_stats_logging_frequency
            )

    def add_error(self, index: int, gradient: Tensor) -> Tensor | None:
        """Add the error of the previous step; returns a copy of the sum."""
        if not self.use_error_feedback:
            return None
        if index in self.error_dict:
            gradient.add_(self.error_dict[index])
        return gradient.detach().clone()

    def finish(
        self, bucket: GradBucket, exact: Tensor | None, approximation: Tensor
    ) -> None:
        """Keep the error; drop the matrices unless `warm_start`; count the step."""
        if exact is not None:
            self.error_dict[bucket.index()] = exact - approximation
        if not self.warm_start:
            self.p_memory_dict.clear()
            self.q_memory_dict.clear()
        self.maybe_increase_iter(bucket)


def _orthogonalize(matrices: Tensor, epsilon: float = 0) -> None:
    """Make the columns of each matrix of a batch orthonormal, in place.

    As in PyTorch, by QR for more than two columns, except in 16 bits, and otherwise by
    the Gram-Schmidt method.
    """
    columns = matrices.shape[2]
    if columns > 2 and matrices.dtype not in {dtypes.float16, dtypes.bfloat16}:
        matrices.copy_(linalg_qr(matrices)[0])
        return
    for i in range(columns):
        column = matrices[:, :, i : i + 1]
        column /= vector_norm(column, dim=1, keepdim=True) + epsilon
        rest = matrices[:, :, i + 1 :]
        if rest.numel():
            rest -= (column * rest).sum(1, keepdim=True) * column


def _fill_randomly(state: PowerSGDState, qs: Sequence[Tensor]) -> None:
    """Fill with random numbers that are equal on all ranks and new in each step."""
    with fork_rng(devices=[]):
        manual_seed(int(state.rng.randint(1_000_000_000)))
        for q in qs:
            q.copy_(randn(*q.shape, dtype=q.dtype))


def _views(flat: Tensor, shapes: Sequence[tuple[int, ...]]) -> list[Tensor]:
    """Parts of a flat tensor, one after the other."""
    parts = flat.split([math.prod(shape) for shape in shapes])
    return [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]


def _low_rank_average(
    state: PowerSGDState, index: int, matrices: Sequence[Tensor]
) -> None:
    """Replace each matrix by the average over all ranks, approximated by P Qᵀ.

    Args:
        matrices: batches of matrices, of shapes (b, n, m).
    """
    rank = state.matrix_approximation_rank
    ranks = [min(*x.shape[1:], rank) for x in matrices]
    p_shapes = [(*x.shape[:2], r) for x, r in zip(matrices, ranks, strict=True)]
    q_shapes = [
        (x.shape[0], x.shape[2], r) for x, r in zip(matrices, ranks, strict=True)
    ]
    cold = not state.warm_start or index not in state.p_memory_dict
    if cold:
        kind: dict[str, Any] = {
            "dtype": matrices[0].dtype,
            "device": matrices[0].device,
        }
        state.p_memory_dict[index] = empty(sum(map(math.prod, p_shapes)), **kind)
        state.q_memory_dict[index] = empty(sum(map(math.prod, q_shapes)), **kind)
    flat_p, flat_q = state.p_memory_dict[index], state.q_memory_dict[index]
    ps, qs = _views(flat_p, p_shapes), _views(flat_q, q_shapes)
    if cold:
        _fill_randomly(state, qs)
    for x, p, q in zip(matrices, ps, qs, strict=True):
        _orthogonalize(q, state.orthogonalization_epsilon)
        p.copy_(bmm(x, q))
    all_reduce(flat_p, group=state.process_group)
    for x, p, q in zip(matrices, ps, qs, strict=True):
        _orthogonalize(p, state.orthogonalization_epsilon)
        q.copy_(bmm(x.transpose(1, 2), p))
    all_reduce(flat_q, group=state.process_group)
    flat_q.div_(get_world_size(state.process_group))
    for x, p, q in zip(matrices, ps, qs, strict=True):
        x.copy_(bmm(p, q.transpose(1, 2)))


def _average_in_one(state: PowerSGDState, tensors: Sequence[Tensor]) -> None:
    """Average tensors over all ranks without compression, in one message."""
    if not tensors:
        return
    flat = cat([t.reshape(-1) for t in tensors])
    all_reduce(flat, group=state.process_group)
    flat.div_(get_world_size(state.process_group))
    views = _views(flat, [tuple(t.shape) for t in tensors])
    for tensor, average in zip(tensors, views, strict=True):
        tensor.copy_(average)


def powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future[Tensor]:  # noqa: N802 (PyTorch's name)
    """The average of gradients, each layer approximated by a matrix of low rank.

    Vectors, and matrices for which it saves too little, are averaged as they are.

    Example:
        >>> from edutorch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
        >>> powerSGD_hook.powerSGD_hook.__name__  # ddp.register_comm_hook(state, it)
        'powerSGD_hook'
    """
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    gradient = bucket.buffer()
    exact = state.add_error(bucket.index(), gradient)
    by_shape: dict[tuple[int, ...], list[Tensor]] = {}
    others = []
    for tensor in bucket.gradients():
        matrix = tensor.view(tensor.shape[0], -1)
        n, m = matrix.shape
        whole, thin = n * m, (n + m) * min(n, m, state.matrix_approximation_rank)
        state.total_numel_before_compression += whole
        if thin * state.min_compression_rate < whole:
            by_shape.setdefault((n, m), []).append(matrix)
            state.total_numel_after_compression += thin
        else:
            others.append(tensor)
            state.total_numel_after_compression += whole
    state.report(bucket)
    _average_in_one(state, others)
    if by_shape:
        together = state.batch_tensors_with_same_shape
        groups = [
            group
            for several in by_shape.values()
            for group in ([several] if together else [[x] for x in several])
        ]
        batches = [stack(group) for group in groups]
        _low_rank_average(state, bucket.index(), batches)
        for group, batch in zip(groups, batches, strict=True):
            for matrix, average in zip(group, batch, strict=True):
                matrix.copy_(average)
    state.finish(bucket, exact, gradient)
    return completed(gradient)


def batched_powerSGD_hook(  # noqa: N802 (PyTorch's name)
    state: PowerSGDState, bucket: GradBucket
) -> Future[Tensor]:
    """The average of a whole bucket as one square matrix of low rank.

    It is faster than `powerSGD_hook` and less accurate, since rows and columns of the
    square are not those of the layers.

    Example:
        >>> from edutorch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
        >>> powerSGD_hook.batched_powerSGD_hook.__name__
        'batched_powerSGD_hook'
    """
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    gradient = bucket.buffer()
    size = gradient.numel()
    side = math.isqrt(size - 1) + 1
    state.total_numel_before_compression += size
    state.total_numel_after_compression += 2 * side * state.matrix_approximation_rank
    state.report(bucket)
    padded = zeros(side * side, dtype=gradient.dtype, device=gradient.device)
    padded[:size].copy_(gradient)
    exact = state.add_error(bucket.index(), padded)
    _low_rank_average(state, bucket.index(), [padded.view(1, side, side)])
    state.finish(bucket, exact, padded)
    return completed(gradient.copy_(padded[:size]))
