"""Automatic differentiation: the gate, the engine, modes, hooks and checks.

Read in this order. Four files are the whole idea; the rest is what it takes to be
PyTorch.

1. `node.py`: `Op`, one application of an operation. It has `forward` and `backward`,
   and is itself the node of the graph.
2. `op.py`: the gate. All operations run through `apply1`, `apply2` or `apply`, which
   run `forward`, wrap the result, and make the op its `grad_fn`.
3. `task.py`, `engine.py`: a backward pass. The task knows the order of the nodes and
   what has arrived at each; the engine runs `backward` of one after the other.
4. `api.py`: `backward` and `grad`, which begin such a pass.

A pass in detail:

- `keeping.py`: what a node keeps for backward, and what rare modes do with results.
- `saved.py`: giving it back. Has it been changed, or freed?
- `strangers.py`: operands that are no tensors.
- `placing.py`: results on GPUs and on the meta device.
- `packing.py`: the same through `saved_tensors_hooks`.
- `halves.py`: 16-bit floats, computed in single precision and rounded once.
- `float8.py`: 8-bit floats, which are stored and moved only.
- `complex32.py`: pairs of 16-bit floats, which are little more than that.
- `unbroadcast.py`: gradients in their inputs' shapes.
- `second.py`: second derivatives that are zero.
- `accumulation.py`: a gradient becomes, or is added to, `.grad`.
- `hooks.py`, `hook_calls.py`: where hooks are kept, and when they are called.

Tensors:

- `membership.py`: their methods `detach`, `register_hook`, `retain_grad` ...
- `inplace.py`: changes in place, of views and their bases, too.
- `overlap.py`: elements in one place of memory, which must not be written to.
- `strided.py`: the histories of views after such changes, told by strides.
- `lazy.py`: conjugates and negatives as views; `views.py` is where `op.py` asks for
  both.
- `variable.py`: an old name.

Switches:

- `modes.py`: `no_grad`, `inference_mode`, anomaly detection ...
- `anomaly.py`: what the latter remembers and tells.
- `breakpoints.py`: stopping at an operation.
- `settings.py`: PyTorch's for streams and compiled regions, which are not here.

The user's own operations and tools:

- `function.py`, `context.py`: `Function`; its `ctx`, and its node.
- `nested.py`: the same on nested containers.
- `graph.py`: edges, hooks on what is saved, on several gradients.

More derivatives:

- `functional.py`, `function_run.py`: `jacobian`, `hessian`, products; one run for them.
- `forward_ad.py`: forward mode, by two passes back.
- `batched.py`: tensors inside `vmap`, whose rules are in `edutorch/func`.
- `gradcheck.py`: derivatives against differences.

Times:

- `profiler.py`, `profiler_util.py`, `profiler_table.py`: how long operations took.

When something fails:

- `failures.py`: errors in PyTorch's words, with notes for the reader.
"""

from . import forward_ad, functional, graph, lazy, membership, profiler, strided  # noqa: F401 (attaches)
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
from .nested import NestedIOFunction
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
