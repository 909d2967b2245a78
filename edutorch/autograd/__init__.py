"""Automatic differentiation: dispatch, the engine, modes, hooks and checks.

Read in this order. Five files contain the whole idea; the others add what is needed to
behave like PyTorch.

1. `node.py`: `Op`, one application of an operation. It has `forward` and `backward`,
   and is itself the node of the graph.
2. `dispatch.py`: every operation runs through `apply1`, `apply2` or `apply`, which run
   `forward`, wrap the result, and make the op its `grad_fn`.
3. `graph_task.py`, `engine.py`: a backward pass. The task holds its roots, the order of
   the nodes, and the gradients that have arrived at each; the engine runs the nodes one
   after another, checks that what they saved has not changed, and frees it unless
   `retain_graph` is true.
4. `api.py`: `backward` and `grad`, which start a backward pass.

Dispatch in detail:

- `foreign_operands.py`: operands that are not tensors; `accept_arrays`, which lets
  formulas call public functions with arrays, and `call_user`, which ends that for
  hooks and other functions of the user.
- `half_precision.py`: 16-bit floats, computed in single precision and rounded once.
- `large_arrays.py`: elementwise ops on large arrays, in blocks and several threads, and
  the size from which an array is large.
- `float8.py`: 8-bit floats, which can only be stored and moved.
- `complex32.py`: complex numbers of two 16-bit floats, which few operations support.
- `device_placement.py`: results on GPUs and on the meta device; refuses operands on
  different devices.
- `save_for_backward.py`: saving inputs and outputs in a node.
- `saved_tensor_hooks.py`: the same under `saved_tensors_hooks`.
- `op_errors.py`: errors of a failed op, with PyTorch's message (shapes that do not
  broadcast, dtypes ...) and explanatory notes.
- `floating_point_warnings.py`: runs an op again if NumPy's warnings are errors.
- `host_fallback.py`: runs an op on the CPU if CuPy lacks a function.

A backward pass in detail:

- `saved_tensors.py`: saved tensors that hooks have packed; errors if saved tensors were
  changed in place, or freed by an earlier backward pass. `inplace_lines.py`: the lines
  that change one in place.
- `unbroadcast.py`: reduces gradients to the shapes of their inputs, by sums over
  broadcast dimensions.
- `double_backward.py`: second derivatives that are zero.
- `leaf_node.py`: `AccumulateGrad`, the node of a leaf. `accumulate_grad.py`: sets the
  leaf's `.grad`, or adds to it.
- `hooks.py`: storage of the hooks of tensors and nodes (`NodeHooks`), and
  `RemovableHandle`. `hook_calls.py`: calls the hooks; `engine.py` calls those of
  leaves, too.
- `final_callbacks.py`: callbacks that run once, when all gradients are complete.

Tensors:

- `tensor_methods.py`: `detach`, `register_hook`, `retain_grad` ...
- `gradient_attributes.py`: `requires_grad`, `.grad`, `is_leaf` ...
- `inplace.py`: in-place operations, also on views; refuses those on leaves that require
  gradients and on inference tensors. `rebase_history` gives the tensor its new node,
  and also its base if it is a view. `inplace_variants.py` makes the methods (`add_`).
- `memory_overlap.py`: rejects writes to memory that several elements of the tensor
  share, or that an operand shares in part.
- `views.py`: links a view to its base, and gives it a new history once the base has
  changed. `view_history.py`: the nodes of such histories: `AsStrided` for the view,
  `CopySlices` for a base that was changed through a view.
- `conj_neg_views.py`: the ops that create conjugate and negative views, and ops on
  these.
- `variable.py`: the old name of tensors with history.

Switches:

- `modes.py`: `no_grad`, anomaly detection ... `inference.py`: `inference_mode`.
  `grad_mode.py` and `anomaly_mode.py`: PyTorch's places of these names.
- `anomaly.py`: what anomaly detection records and reports.
- `breakpoints.py`: stopping at an operation.
- `stream_settings.py`: PyTorch's settings for streams and compiled regions, which do
  not exist here.

The user's own operations and tools:

- `function.py`, `function_outputs.py`, `context.py`: `Function`; the history of its
  results; its `ctx`, and its node.
- `nested_function.py`: `NestedIOFunction`, the same on nested containers.
- `one_node.py`: a composed function with a single node, which knows its derivative.
- `graph.py`: edges, hooks on saved tensors and on several gradients.

More derivatives:

- `functional.py`, `functional_run.py`: `jacobian`, `hessian`, products with them.
- `forward_ad.py`: forward mode, by two backward passes.
- `batched_tensor.py`: tensors inside `vmap`; the batching rules are in `edutorch/func`.
- `active_transforms.py`: the function transforms that are running, which tensors show
  when they are printed.
- `gradcheck.py`: compares derivatives with finite differences.

Profiling:

- `profiler.py`: `profile` and `record_function`. `profiler_events.py`: makes events of
  what is recorded. `profiler_util.py`: events and their sums. `profiler_table.py`: the
  printed table, and how times are written. `profiler_trace.py`: a file for Perfetto.
"""

from . import (  # noqa: F401 (attaches)
    anomaly_mode,
    conj_neg_views,
    forward_ad,
    functional,
    grad_mode,
    gradient_attributes,
    graph,
    profiler,
    tensor_methods,
    view_history,
)
from .api import backward, grad
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .inference import inference_mode
from .modes import (
    detect_anomaly,
    enable_grad,
    enforce_grad_layout_policy,
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
