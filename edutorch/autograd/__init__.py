"""Automatic differentiation: dispatch, the engine, modes, hooks and checks.

Read in this order. Five files are the whole idea; the rest is what it takes to behave
like PyTorch.

1. `node.py`: `Op`, one application of an operation. It has `forward` and `backward`,
   and is itself the node of the graph.
2. `dispatch.py`: every operation runs through `apply1`, `apply2` or `apply`, which run
   `forward`, wrap the result, and make the op its `grad_fn`.
3. `graph_task.py`, `engine.py`: a backward pass. The task knows where it starts, the
   order of the nodes, and which gradients have arrived at each; the engine runs one
   after another.
4. `api.py`: `backward` and `grad`, which start such a pass.

Dispatch in detail:

- `foreign_operands.py`: operands that are not tensors.
- `half_precision.py`: 16-bit floats, computed in single precision and rounded once.
- `large_arrays.py`: elementwise ops on large arrays, in blocks and several threads.
- `float8.py`: 8-bit floats, which can only be stored and moved.
- `complex32.py`: pairs of 16-bit floats, which can do little more.
- `device_placement.py`: results on GPUs and on the meta device.
- `save_for_backward.py`: what a node saves, and what rare modes do with results.
- `saved_tensor_hooks.py`: the same under `saved_tensors_hooks`.
- `op_errors.py`: what a failed op raises (operands that do not fit, or are on different
  devices), in PyTorch's words, with notes for the reader.
- `floating_point_warnings.py`: an op runs again where NumPy's warnings are errors.
- `host_fallback.py`: it runs on the processor where CuPy lacks a function.

A backward pass in detail:

- `saved_tensors.py`: reading what was saved, unless it was changed in place or freed.
- `unbroadcast.py`: gradients in the shapes of their inputs, summed where those were
  broadcast.
- `double_backward.py`: second derivatives that are zero.
- `accumulate_grad.py`: a gradient becomes, or is added to, `.grad`.
- `hooks.py`: where hooks of tensors and nodes are stored. `hook_calls.py`: calls of
  them; those of leaves also in `engine.py`.
- `final_callbacks.py`: what runs once, when all gradients are there.

Tensors:

- `tensor_methods.py`: `detach`, `register_hook`, `retain_grad` ...
- `inplace.py`: in-place operations, also on views.
- `memory_overlap.py`: memory that several elements share must not be written to.
- `views.py`, `view_history.py`: views, and their history after in-place changes.
- `conj_neg_views.py`: conjugates and negatives as views.
- `variable.py`: the old name of tensors with history.

Switches:

- `modes.py`: `no_grad`, `inference_mode`, anomaly detection ...
- `anomaly.py`: what anomaly detection remembers and reports.
- `breakpoints.py`: stopping at an operation.
- `stream_settings.py`: PyTorch's settings for streams and compiled regions, which do
  not exist here.

The user's own operations and tools:

- `function.py`, `context.py`: `Function`; its `ctx`, and its node.
- `nested_function.py`: `NestedIOFunction`, the same on nested containers.
- `graph.py`: edges, hooks on saved tensors and on several gradients.

More derivatives:

- `functional.py`, `functional_run.py`: `jacobian`, `hessian`, products with them.
- `forward_ad.py`: forward mode, by two backward passes.
- `batched_tensor.py`: tensors inside `vmap`, whose rules are in `edutorch/func`.
- `gradcheck.py`: derivatives against finite differences.

Profiling:

- `profiler.py`, `profiler_events.py`, `profiler_util.py`, `profiler_table.py`: how long
  operations took;
  `profiler_trace.py`: that as a file for Perfetto.
"""

from . import (  # noqa: F401 (attaches)
    conj_neg_views,
    forward_ad,
    functional,
    graph,
    profiler,
    tensor_methods,
    view_history,
)
from .api import backward, grad
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .modes import (
    detect_anomaly,
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .nested_function import NestedIOFunction
from .variable import Variable

__all__ = [
    "Function",
    "GradcheckError",
    "NestedIOFunction",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "forward_ad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "profiler",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]
