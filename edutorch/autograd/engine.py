"""The engine: walks the graph from outputs to leaves, multiplying by Jacobians.

Nodes are visited in reverse order of creation, which is a topological order, without
recursion. An ordinary backward runs on arrays, and frees saved values as it proceeds;
with `create_graph` it runs on tensors through dispatch, so that the backward pass is
itself recorded.

`steps` is the engine. It is a generator, so that a caller can stop after any node. The
others iterate to its end in their own frame: one function less to step through.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from sys import getrefcount
from typing import Any

from numpy import add

from .. import events, memory_events, op_events
from ..backends import backend_of, device_costs
from ..tensor.tensor import Tensor, bare_tensor, wrap
from . import breakpoints, large_arrays
from . import modes as _m
from .accumulate_grad import UNSHARED, accumulate
from .anomaly import check_gradients, explain_error
from .dispatch import FREED, Op
from .double_backward import record_double_backward
from .floating_point_warnings import without_warnings
from .graph_task import Task
from .half_precision import is_reduced_precision, upcast
from .hook_calls import (
    as_tensors,
    run_hooks,
    run_post_accumulate_hooks,
    run_post_hooks,
    run_pre_hooks,
    run_tensor_hooks,
)
from .host_fallback import backward_on_host, may_run_on_host
from .large_arrays import LARGE
from .leaf_node import AccumulateGrad
from .saved_tensors import SECOND_TIME, refuse_modified, restore_packed
from .unbroadcast import cast_like_input

__all__ = ["Step", "Task", "restore_saved", "steps"]


@dataclass
class Step:
    """One node of a backward pass, just after it ran.

    Attributes:
        node: the op (or the leaf tensor, for the step that stores its gradient).
        grad_outputs: the incoming gradients.
        grad_inputs: the outgoing gradients; None where they are not needed.
        index: 0 for the first node visited.
    """

    node: Any
    grad_outputs: tuple[Any, ...]
    grad_inputs: tuple[Any, ...]
    index: int

    @property
    def name(self) -> str:
        """PyTorch's name of the node."""
        if isinstance(self.node, Tensor):
            return "AccumulateGrad"
        return str(self.node.name())

    def __repr__(self) -> str:
        shapes = [None if g is None else tuple(g.shape) for g in self.grad_inputs]
        return f"Step({self.index}: {self.name} -> {shapes})"


# Note [One loop, two ways to run a node]
# Most nodes have one gradient and no hooks, and run in the loop itself; the others run
# in `_run_slow_path`. With one function for both, a backward pass over small ops (5
# products of 8 x 8 and 5 relus) would be 4% slower. A test runs the same graphs both
# ways.


def steps(task: Task, stepping: bool = False) -> Iterator[Step]:
    """The engine's loop; with `stepping` it yields after every node."""
    buffers, ready, charge = task.buffers, task.ready, device_costs.of_backward
    slow_path = task.begin(_m.anomaly or breakpoints.active)
    try:
        if ready:
            yield from _finish_leaves(task, stepping)
        for node in task.order:
            gradient = buffers.pop(node, None)
            if gradient is None:
                continue
            started = events.clock() if events.hears_backward else 0
            special = slow_path or node.hooks is not None or type(gradient) is list
            if special or (_m.half_used and is_reduced_precision(node.out_dtype)):
                results = _run_slow_path(task, node, gradient)
            else:  # see Note [One loop, two ways to run a node]
                inputs, output = node.inputs, node.output
                try:
                    if inputs is not None or output is not None:
                        restore_saved(node, inputs, output, False)
                    if node.elementwise and gradient.size > LARGE:
                        results = large_arrays.backward(node, gradient)
                    else:
                        results = node.backward(gradient)
                except Exception as error:
                    results = _backward_again(node, node, inputs, error, gradient)
                if node.saves_extra:
                    _free_saved(node, inputs, output)
                elif output is not None:
                    node.inputs, node.output, node.output_storage = FREED, None, None
                elif inputs is not None:
                    node.inputs = FREED
                _add_to_buffers(task, node, gradient, results)
            if charge is not None:
                charge(task, node)
            if started:
                op_events.announce_bwd(task, node, gradient, started, results)
            if stepping:
                yield from _yield_step(task, node, gradient, results)
            results = gradient = None  # see Note [Who else holds a gradient]
            if ready:
                yield from _finish_leaves(task, stepping, node)
        ready += task.waiting_leaves()
        if ready:
            yield from _finish_leaves(task, stepping)
        if task.callbacks:
            task.run_callbacks()
    finally:
        task.end()
        if events.active:
            events.backward_ended = events.clock()


def restore_saved(
    node: Op, inputs: Any, output: Any, create_graph: bool, original: Op | None = None
) -> None:
    """Restore saved values for backward, as arrays or, to be recorded, as tensors.

    Args:
        original: the node in the graph, if `node` is a copy of it.

    Raises:
        RuntimeError: if they have been freed, or changed since they were saved.
    """
    if inputs is not None:
        if type(inputs) is not tuple or inputs is FREED:
            restore_packed(node, inputs, create_graph, original or node)
            return
        arrays: list[Any] = []
        versions = node.versions
        for t in inputs:
            if isinstance(t, Tensor):
                storage = t._storage
                if storage is not None:
                    expected = versions[len(arrays)] if versions else 0
                    if storage.version != expected:
                        refuse_modified(node, t._data, storage.version, expected, t)
                t = t._data
            arrays.append(t)
        if not create_graph:
            node.inputs = arrays
    if output is not None:
        storage = node.output_storage
        if storage is not None and storage.version != node.output_version:
            refuse_modified(node, output, storage.version, node.output_version, node)
        if create_graph:
            tensor = bare_tensor(Tensor, output, node.device)
            tensor._storage = storage
            tensor._requires_grad, tensor._grad_fn = True, original or node
            node.output = tensor


def _yield_step(task: Task, node: Any, gradient: Any, results: Any) -> Iterator[Step]:
    """Yield a step, with this thread's modes as they were before the pass."""
    index, task.stepped = task.stepped, task.stepped + 1
    results = as_tensors(_cast_like_inputs(node, results))
    task.end()
    yield Step(node, as_tensors(gradient), results, index)
    task.begin(task.slow_path)


def _run_slow_path(task: Task, node: Op, gradient: Any) -> Any:
    """Run one node's backward, with hooks, breakpoints, or several gradients."""
    gradient = _incoming_gradient(task, node, gradient)
    if gradient is None:
        return ()
    inputs, output = node.inputs, node.output
    running, arrived = _private_copy(task, node), gradient
    try:
        if inputs is not None or output is not None:
            restore_saved(running, inputs, output, task.create_graph, node)
        arrived = _materialise(node, gradient, task)
        if (
            _m.half_used
            and node.backward_in_single
            and is_reduced_precision(node.out_dtype)
        ):
            arrived = upcast(running, arrived)
        if breakpoints.active and breakpoints.stop_before(node, "backward"):
            breakpoint()  # noqa: T100 (a breakpoint; "step into" leads to node.backward)
        if type(arrived) is list:
            results = running.backward(*arrived)
        else:
            results = running.backward(arrived)
        if task.create_graph and node.double_backward and task.records:
            results = record_double_backward(running, results)
        if breakpoints.active and breakpoints.stop_after(node, "backward", results):
            breakpoint()  # noqa: T100 (a breakpoint; the gradients are in results)
    except Exception as error:
        results = _backward_again(running, node, inputs, error, arrived)
    if not task.retain:
        _free_saved(node, inputs, output)
    if node.hooks is not None and node.hooks.post:
        results = run_post_hooks(task, node, _cast_like_inputs(node, results), gradient)
    if _m.anomaly:
        check_gradients(node, results if type(results) is tuple else (results,))
    _add_to_buffers(task, node, gradient, results)
    return results


def _incoming_gradient(task: Task, node: Op, gradient: Any) -> Any:
    """The gradient at a node after its pre-hooks; None if the node need not run."""
    task.stop_recording()
    if task.captures:
        if node not in task.above:  # requested, but nothing below it is
            if node.hooks is not None:
                gradient = run_tensor_hooks(task, node, gradient)
            _capture(task, node, gradient)
            return None
        _capture(task, node, gradient)
    return gradient if node.hooks is None else run_pre_hooks(task, node, gradient)


def _private_copy(task: Task, node: Op) -> Op:
    """The node to run: a copy if it is retained, or needs to compute less.

    Another thread may be visiting a node that is retained, so what backward reads
    (`restore_saved`) is put into a copy.
    """
    if node.user_defined:  # which uses its context
        return node
    if task.partial and len(node.needs) > 1:
        needs = task.needs_of(node)
        if needs != node.needs:
            return node.copy_with_needs(needs)
    if task.retain and not (node.inputs is node.output is None):
        return node.copy_with_needs(node.needs)
    return node


def _backward_again(
    running: Op, node: Op, inputs: Any, error: Exception, gradient: Any
) -> Any:
    """Run a backward again after a floating-point warning, or on the host for CuPy.

    Raises:
        Exception: in all other cases.
    """
    if isinstance(error, RuntimeWarning) and type(gradient) is not list:
        return without_warnings(running.backward, gradient)
    if not node.user_defined and may_run_on_host(error, gradient):
        with suppress(type(error)):  # the host cannot compute it, either
            return backward_on_host(running, error, gradient)
    raise _backward_error(node, inputs, error) from None


def _backward_error(node: Op, inputs: Any, error: Exception) -> Exception:
    """The error of a backward; another thread may have freed the node meanwhile."""
    if node.inputs is FREED and not node.user_defined:
        error = RuntimeError(SECOND_TIME)
    else:
        node.inputs = inputs
    return explain_error(node, error)


def _free_saved(node: Op, inputs: Any, output: Any) -> None:
    """Release what backward needed; a second backward is refused."""
    if inputs is not None:
        node.inputs = FREED
    if output is not None:
        node.inputs, node.output, node.output_storage = FREED, None, None
    if node.user_defined:  # whose backward may do without what was saved
        node.saved = None
    elif node.saves_extra:
        node.inputs, node.saved = FREED, None


def _add_to_buffers(task: Task, node: Op, gradient: Any, results: Any) -> None:
    """Add each gradient to its target's buffer, in the target's shape and dtype."""
    buffers, several, i = task.buffers, type(results) is tuple, -1
    for edge in node.edges:
        i += 1
        if edge is None:
            continue
        g = results[i] if several else results
        if edge.is_op:
            if g is None:
                continue
            shape, dtype = edge.out_shape, edge.out_dtype
            if type(dtype) is tuple:
                nr = node.edge_nrs[i]
                task.add(edge, nr, cast_like_input(g, shape[nr], dtype[nr], node, i))
                continue
        else:
            left = task.awaited.get(edge)
            if left is None:  # not requested
                continue
            task.awaited[edge] = left - 1
            if left == 1:
                task.ready.append(edge)
            if g is None:
                continue
            shape, dtype = edge._data.shape, edge._data.dtype
        array = g._data if task.create_graph else g
        if array.shape != shape or array.dtype is not dtype:
            g = cast_like_input(g, shape, dtype, node, i)
        if edge in buffers:
            if edge in task.owned:
                if g.size < LARGE:
                    add(buffers[edge], g, buffers[edge])
                else:
                    large_arrays.add(buffers[edge], g, buffers[edge])
            else:
                task.add(edge, 0, g)
        else:
            buffers[edge] = g
            if events.hears_memory and g is not gradient:
                memory_events.announce_gradient_alloc(g, edge)


def _cast_like_inputs(node: Any, results: Any) -> tuple[Any, ...]:
    """Gradients in the shapes and dtypes of their inputs, for hooks and steppers."""
    gradients: tuple[Any, ...] = results if type(results) is tuple else (results,)
    if not node.is_op:
        return gradients
    return tuple(
        g
        if g is None or edge is None
        else cast_like_input(g, *_input_spec(node, i), node, i)
        for i, (edge, g) in enumerate(zip(node.edges, gradients, strict=False))
    )


def _input_spec(node: Op, i: int) -> tuple[Any, Any]:
    """Shape and dtype of a node's i-th input."""
    edge: Any = node.edges[i]
    if not edge.is_op:
        return edge._data.shape, edge._data.dtype
    if type(edge.out_dtype) is not tuple:
        return edge.out_shape, edge.out_dtype
    nr = node.edge_nrs[i]
    return edge.out_shape[nr], edge.out_dtype[nr]


def _materialise(node: Op, gradients: Any, task: Task) -> Any:
    """Zeros for the outputs of a multi-output node that got no gradient."""
    if type(gradients) is not list or not node.materialize:
        return gradients
    return [
        _zeros(node, nr, task) if g is None else g for nr, g in enumerate(gradients)
    ]


def _zeros(node: Op, nr: int, task: Task) -> Any:
    xp = backend_of(node.device).xp
    zeros = xp.zeros(node.out_shape[nr], dtype=node.out_dtype[nr])
    return wrap(zeros, node.device) if task.create_graph else zeros


# ---- leaves, requested gradients


def _finish_leaves(
    task: Task, stepping: bool, node: Op | None = None
) -> Iterator[Step]:
    """Store the gradients of leaves at which all gradients have arrived.

    Args:
        task: the backward pass.
        stepping: whether to yield after each leaf.
        node: the node that the last gradients come from; hooks see its order.
    """
    if node is not None and node.reorders_leaves:
        for leaf in task.ready:
            if leaf._hooks or leaf._post_hooks:
                node.sort_leaves(task.ready)
                break
    for leaf in task.ready:
        if leaf not in task.buffers:
            continue
        started = events.clock() if events.hears_backward else 0
        gradient = _finish_leaf(task, leaf)
        if started:
            op_events.announce_bwd(task, leaf, gradient, started)
        if stepping:
            yield from _yield_step(task, leaf, gradient, ())
        gradient = None  # see Note [Who else holds a gradient]
    task.ready.clear()


def _finish_leaf(task: Task, leaf: Tensor) -> Any:
    """Run a leaf's hooks and add its gradient to `.grad`; returns the gradient."""
    end_hooks = leaf._end_hooks
    if leaf._hooks or leaf._post_hooks or end_hooks or task.captures:
        _run_leaf_hooks(task, leaf)
    unshared = getrefcount(task.buffers[leaf]) <= UNSHARED
    gradient = task.buffers.pop(leaf)
    if task.accumulate:
        if gradient is not None:  # unless a hook of the node has taken it away
            accumulate(leaf, gradient, unshared)
        if leaf._post_hooks:
            run_post_accumulate_hooks(leaf)
        if end_hooks:
            run_post_hooks(task, AccumulateGrad(leaf), (), gradient)
    return gradient


def _run_leaf_hooks(task: Task, leaf: Tensor) -> None:
    """Let hooks replace the gradient of a leaf; store it if it is requested."""
    buffers = task.buffers
    task.stop_recording()
    if leaf._hooks:
        buffers[leaf] = run_hooks(task, leaf._hooks, buffers[leaf], leaf._device)
    if task.captures:
        _capture(task, leaf, buffers[leaf])
    if task.accumulate and leaf._end_hooks:
        buffers[leaf] = run_pre_hooks(task, AccumulateGrad(leaf), buffers[leaf])


def _capture(task: Task, node: Any, gradient: Any) -> None:
    """Store gradients that `autograd.grad` requests."""
    several = type(gradient) is list
    for nr, g in enumerate(gradient) if several else ((0, gradient),):
        if (node, nr) in task.captures and g is not None:
            task.found[node, nr] = g
