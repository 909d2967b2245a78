"""Reducer: averages gradients over processes while backward still runs.

Each parameter has a hook that runs when its gradient is complete. It copies the
gradient into its bucket; a full bucket is sent at once, and backward continues. A
callback at the end of backward waits for the sums and writes them into the gradients.
Buckets are sent in the same order everywhere, whatever order gradients come in.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ... import dtypes, events
from ...autograd.final_callbacks import queue_callback
from ...autograd.graph_task import leaves_below
from ...autograd.modes import no_grad
from ...distributed.algorithms.grad_bucket import GradBucket
from ...distributed.collectives.reductions import all_reduce
from ...distributed.collectives.work import Work
from ...distributed.groups.process_group import ProcessGroup
from ...ops.create.filled import zeros
from ...tensor.tensor import Tensor
from .buckets import Bucket, assign_buckets

__all__ = ["Reducer"]

UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new "
    "one. "
)
UNUSED = (
    "This error indicates that your module has parameters that were not used in "
    "producing loss. "
)
ENABLE = (
    "You can enable unused parameter detection by passing the keyword argument "
    "`find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, "
    "and by \n"
)
ENABLED = (
    "Since `find_unused_parameters=True` is enabled, this likely  means that not all "
    "`forward` outputs participate in computing loss. You can fix this by \n"
)
OUTPUTS = "making sure all `forward` function outputs participate in calculating loss. "
CHANGED = (
    "This error indicates that your training graph has changed in this iteration, "
    "e.g., one parameter is used in first iteration, but then got unused in the second "
    "iteration. this is not compatible with static_graph set to True."
)


class Reducer:
    """Averages the gradients of parameters over the processes of a group.

    Args:
        parameters: those that need gradients; `names`: their names in errors.
        cap: how many bytes make a bucket full.
        find_unused: find before each backward the parameters it will not reach.
        static: learn them from the first one.
        as_views: gradients are views of the buckets afterwards.
    """

    def __init__(
        self,
        parameters: Sequence[Tensor],
        names: Sequence[str],
        group: ProcessGroup,
        cap: int,
        find_unused: bool = False,
        static: bool = False,
        as_views: bool = False,
    ) -> None:
        self.parameters, self.names, self.group = list(parameters), list(names), group
        self.find_unused, self.static = find_unused, static
        self.grads_as_views = as_views
        self.buckets = [
            Bucket(indices, parameters) for indices in assign_buckets(parameters, cap)
        ]
        self.bucket_of = {i: b for b in self.buckets for i in b.indices}
        self.hook: Callable[..., Any] | None = None
        self.hook_state: Any = None
        self.divisor = group.size()
        self.expects_backward = self.in_backward = False
        self.used: set[int] = set()  # since the last average
        self.unused: set[int] = set()  # parameters that this backward will not reach
        self.unused_everywhere: set[int] = set()
        # For a static graph: how often each gradient is added to, and is still to be.
        self.grad_counts: dict[int, int] = {}
        self.grads_left: dict[int, int] = {}
        self.static_graph_recorded = False
        self.next_bucket = 0  # to be sent
        self._used_map: tuple[Tensor, Any] | None = None
        for i, p in enumerate(self.parameters):
            self._register_hook(i, p)

    def _register_hook(self, i: int, parameter: Tensor) -> None:
        """Call `mark_ready` for a gradient, while the reducer is alive."""
        own = weakref.ref(self)

        def hook(_: Tensor) -> None:
            reducer = own()
            if reducer is not None:
                reducer.mark_ready(i)

        parameter.register_post_accumulate_grad_hook(hook)

    # ---- a backward pass

    def check_reduction_finished(self) -> None:
        """Raise if some gradients of the last backward are missing.

        Raises:
            RuntimeError: with the names of their parameters.
        """
        if not self.in_backward:
            return
        self.in_backward = False
        missing = sorted(i for b in self.buckets for i in b.pending)
        rank = self.group.rank()
        names = ", ".join(self.names[i] for i in missing)
        numbers = " ".join(map(str, missing))
        if self.static:
            raise RuntimeError(UNFINISHED + CHANGED)
        advice = ENABLED if self.find_unused else ENABLE
        raise RuntimeError(
            f"{UNFINISHED}{UNUSED}{advice}{OUTPUTS}\n"
            f"Parameters which did not receive grad for rank {rank}: {names}\n"
            f"Parameter indices which did not receive grad for rank {rank}: {numbers}"
        )

    def prepare_for_backward(self, outputs: Sequence[Tensor]) -> None:
        """Prepare for a backward from the outputs of the module."""
        self.expects_backward, self.in_backward, self.next_bucket = True, False, 0
        for bucket in self.buckets:
            bucket.pending, bucket.future = set(bucket.indices), None
        self._used_map = None
        if self.static:
            self.grads_left = dict(self.grad_counts)
            self.unused = set(range(len(self.parameters))) - set(self.grad_counts)
        elif self.find_unused:
            reached = {id(leaf) for leaf in leaves_below(outputs)}
            self.unused = {
                i for i, p in enumerate(self.parameters) if id(p) not in reached
            }

    def set_divisor(self, count: Work, initially: bool) -> None:
        """In `join`, divide by the ranks taking part in this step, or by all.

        Args:
            count: how many take part; it is waited for.
        """
        active = int(count.result()[0].item())
        self.divisor = self.group.size() if initially else active

    def mark_ready(self, i: int) -> None:
        """Handle a gradient that has been accumulated into `.grad`."""
        self.used.add(i)
        if not self.expects_backward:
            return
        with no_grad():
            if self.static and not self.static_graph_recorded:
                if not self.in_backward:
                    queue_callback(self._finish_first_static_backward, outermost=True)
                self.in_backward = True
                self.grad_counts[i] = self.grad_counts.get(i, 0) + 1
                return
            if not self.in_backward:
                self._mark_unused_ready()
            if self.static:
                self.grads_left[i] = self.grads_left.get(i, 0) - 1
                if self.grads_left[i] > 0:
                    return
            self._mark_bucket_ready(i)

    def _mark_unused_ready(self) -> None:
        """At the first gradient, mark parameters unused by the graph as ready."""
        self.in_backward = True
        for i in sorted(self.unused):
            self._mark_bucket_ready(i)

    def _finish_first_static_backward(self) -> None:
        """End the first backward of a static graph by averaging everything."""
        self.unused = set(range(len(self.parameters))) - set(self.grad_counts)
        with no_grad():
            self._mark_unused_ready()
            for i in self.grad_counts:
                self._mark_bucket_ready(i, queue=False)
            self.finalize_backward()
        self.static_graph_recorded = True

    def _mark_bucket_ready(self, i: int, queue: bool = True) -> None:
        """Copy a gradient into its bucket, and send full buckets.

        Raises:
            RuntimeError: for a gradient that was there already.
        """
        bucket = self.bucket_of[i]
        if i not in bucket.pending:
            raise RuntimeError(
                "Expected to mark a variable ready only once. This error is caused by "
                "a module parameter that is used in several reentrant backward passes, "
                "or outside the `forward` function.\nParameter at index "
                f"{i} with name {self.names[i]} has been marked as ready twice. "
                "Try static_graph=True, if the graph does not change."
            )
        bucket.pending.discard(i)
        self._copy_grad_to_bucket(bucket.views[i], self.parameters[i])
        while (
            self.next_bucket < len(self.buckets)
            and not self.buckets[self.next_bucket].pending
        ):
            self._all_reduce_bucket(self.next_bucket)
            self.next_bucket += 1
            if self.next_bucket == len(self.buckets):
                self._all_reduce_used_map()
                if queue:
                    queue_callback(self.finalize_backward)

    def _copy_grad_to_bucket(self, view: Tensor, parameter: Tensor) -> None:
        """Copy a gradient, divided by the number of processes if there is no hook."""
        grad = parameter.grad
        if grad is None:
            view.zero_()
            return
        if grad.is_sparse:
            raise RuntimeError(
                "DistributedDataParallel does not support sparse gradients; use "
                "sparse=False for embeddings"
            )
        if grad.data_ptr() != view.data_ptr():
            view.copy_(grad)
        if self.hook is None:
            view.div_(self.divisor)

    # ---- sending

    def _all_reduce_bucket(self, number: int) -> None:
        """Start the all-reduce of a bucket."""
        bucket = self.buckets[number]
        events.mark(f"all-reduce bucket {number}", "begin", "phase")
        last = number == len(self.buckets) - 1
        if self.hook is None:
            work: Any = all_reduce(bucket.buffer, group=self.group, async_op=True)
            bucket.future = work.get_future()
        else:
            seen = GradBucket(number, bucket.buffer, bucket.parameters, last)
            bucket.future = self.hook(self.hook_state, seen)

    def _all_reduce_used_map(self) -> None:
        """Start counting how many processes used each parameter."""
        if not self.find_unused and (not self.static or self.static_graph_recorded):
            return
        device = self.buckets[0].buffer.device
        counts = zeros(len(self.parameters), dtype=dtypes.int32, device=device)
        for i in self.used:
            counts[i] = 1
        self._used_map = counts, all_reduce(counts, group=self.group, async_op=True)

    def finalize_backward(self) -> None:
        """Wait for the averages and write them to the gradients."""
        with no_grad():
            for bucket in self.buckets:
                self._wait_for_bucket(bucket)
            if self._used_map is not None:
                counts, work = self._used_map
                work.wait()
                self.unused_everywhere = {
                    i for i, n in enumerate(counts.tolist()) if n == 0
                }
            for bucket in self.buckets:
                for i, view in bucket.views.items():
                    if i not in self.unused_everywhere:
                        self._copy_bucket_to_grad(view, self.parameters[i])
        self.expects_backward = self.in_backward = False
        self.used, self._used_map = set(), None
        self.divisor = self.group.size()

    def _wait_for_bucket(self, bucket: Bucket) -> None:
        result = bucket.future.wait()
        if isinstance(result, list | tuple):
            result = result[0]
        if result.data_ptr() != bucket.buffer.data_ptr():
            bucket.buffer.copy_(result.reshape(-1))
        bucket.future = None
        events.mark(f"all-reduce bucket {self.buckets.index(bucket)}", "end", "phase")

    def _copy_bucket_to_grad(self, view: Tensor, parameter: Tensor) -> None:
        if self.grads_as_views:
            if parameter.grad is None or parameter.grad.data_ptr() != view.data_ptr():
                parameter.grad = view
        elif parameter.grad is None:
            parameter.grad = view.clone()
        else:
            parameter.grad.copy_(view)

    def shadow_all_reduce(self) -> None:
        """Take part in the collectives of a backward without gradients; see `join`."""
        with no_grad():
            for number, bucket in enumerate(self.buckets):
                bucket.buffer.zero_()
                self._all_reduce_bucket(number)
            self._all_reduce_used_map()
            for bucket in self.buckets:
                self._wait_for_bucket(bucket)
            if self._used_map is not None:
                self._used_map[1].wait()
                self._used_map = None
