"""Checkpointing: backward recomputes a part of the forward pass instead of saving it.

This trades time for memory: only the inputs of a checkpointed function are kept. There
are two ways. With `use_reentrant=False` the graph is recorded as usual, but its nodes
save placeholders (`saved_tensors_hooks`); when backward needs the first of them, the
function runs again and fills them all. With `use_reentrant=True` the whole function is
one node, whose backward runs the function again and its own backward inside.

Reference: Chen, Xu, Zhang and Guestrin, "Training deep nets with sublinear memory
cost", 2016.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..amp.state import AutocastState
from ..autograd.api import backward as run_backward
from ..autograd.function import Function
from ..autograd.modes import enable_grad, modes, no_grad
from ..tensor.tensor import Tensor
from .recompute import (
    CheckpointError,
    CheckpointFrame,
    GraphExecGroup,
    RngStates,
    get_device_states,
    set_device_states,
)

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "DefaultDeviceType",
    "GraphExecGroup",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

EXPLICIT = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
    "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an "
    "exception. use_reentrant=False is recommended, but if you need to preserve the "
    "current default behavior, you can pass use_reentrant=True. Refer to docs for more "
    "details on the differences between the two variants."
)

_early_stop: bool | None = None  # what `set_checkpoint_early_stop` says
_debug: bool | None = None


def noop_context_fn() -> tuple[Any, Any]:
    """Two context managers that do nothing: the default of `context_fn`.

    Example:
        >>> len(noop_context_fn())
        2
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Run a function without storing its activations; backward recomputes them.

    Args:
        use_reentrant: False for hooks on saved tensors, True for one node with its own
            backward inside. Always pass it: omitting it warns.
        preserve_rng_state: (keyword) draw the same random numbers again; True.
        context_fn: returns two context managers, for the forward and for the
            recomputation (with use_reentrant=False).
        determinism_check: "default" compares the shapes, dtypes and devices of
            recomputed tensors with the saved ones; "none" does not.
        debug: if they differ, the error lists the tensors of both runs.
        early_stop: end the recomputation as soon as it has all that is needed.

    Raises:
        ValueError: for keyword arguments that do not go together.
        CheckpointError: in backward, if the recomputation differs.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.utils.checkpoint import checkpoint
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = checkpoint(lambda x: x.exp().log(), x, use_reentrant=False)
        >>> y.sum().backward()
        >>> x.grad
        tensor([1., 1.])
    """
    if use_reentrant is None:
        warnings.warn(EXPLICIT, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        if determinism_check not in ("default", "none"):
            raise ValueError(
                "determinism_check should be one of ['default', 'none'], but got "
                f"{determinism_check}"
            )
        stop = early_stop if _early_stop is None else _early_stop
        frame = CheckpointFrame(function, args, kwargs, preserve, stop)
        frame.check = determinism_check == "default"
        frame.debug = debug if _debug is None else _debug
        if frame.debug and context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        return frame.run(context_fn)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when "
            "use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve, *args)


class DefaultDeviceType:
    """The type of device whose random state checkpoints keep besides the CPU's.

    Example:
        >>> DefaultDeviceType.get_device_type()
        'cuda'
    """

    _kind = "cuda"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Choose the type of device."""
        DefaultDeviceType._kind = device

    @staticmethod
    def get_device_type() -> str:
        """The type of device that was chosen."""
        return DefaultDeviceType._kind


# ---- use_reentrant=True: one node with its own backward inside


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Tensors without history that require grad as before; the rest as it is.

    Raises:
        RuntimeError: if `inputs` is not a tuple.

    Example:
        >>> detach_variable((1, "a"))
        (1, 'a')
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            + type(inputs).__name__
        )
    return tuple(
        t.detach().requires_grad_(t._requires_grad) if isinstance(t, Tensor) else t
        for t in inputs
    )


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if no input requires grad: then nothing gets a gradient.

    Example:
        >>> import edutorch as torch
        >>> import warnings
        >>> from edutorch.utils.checkpoint import check_backward_validity
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     check_backward_validity([torch.ones(1)])
        >>> print(caught[0].message)
        None of the inputs have requires_grad=True. Gradients will be None
    """
    if not any(isinstance(t, Tensor) and t._requires_grad for t in inputs):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None",
            stacklevel=3,
        )


class CheckpointFunction(Function):
    """A whole function as one node, which runs it again in its backward.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.utils.checkpoint import checkpoint
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = checkpoint(torch.exp, x, use_reentrant=True)
        >>> y.grad_fn.name()
        'CheckpointFunctionBackward'
    """

    @staticmethod
    def forward(ctx: Any, run: Any, preserve: bool, *args: Any) -> Any:
        """Run without recording; of the inputs, tensors are saved."""
        check_backward_validity(args)
        ctx.run, ctx.rng_states = run, RngStates(args) if preserve else None
        ctx.autocast = AutocastState()
        ctx.args = [None if isinstance(a, Tensor) else a for a in args]
        ctx.tensors = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.tensors])
        with no_grad():
            return run(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run the function again, recorded, and go backward through it."""
        if not modes.task.accumulate or modes.task.targeted:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with "
                ".grad() or passing an `inputs` parameter to .backward(). To resolve "
                "this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        args = list(ctx.args)
        for i, t in zip(ctx.tensors, ctx.saved_tensors, strict=True):
            args[i] = t
        inputs = detach_variable(tuple(args))
        rng = ctx.rng_states.replay() if ctx.rng_states else contextlib.nullcontext()
        with rng, enable_grad(), ctx.autocast:
            outputs = ctx.run(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [(o, g) for o, g in zip(outputs, grads, strict=True)
                 if isinstance(o, Tensor) and o._requires_grad]  # fmt: skip
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not "
                "necessary"
            )
        run_backward([o for o, _ in pairs], [g for _, g in pairs])
        found = (t._grad if isinstance(t, Tensor) else None for t in inputs)
        return None, None, *found


# ---- several functions in a row, switches


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Run modules one after the other, all but the last segment checkpointed.

    Args:
        functions: a `Sequential` or a list of modules or functions.
        segments: how many parts to cut the list into.

    Raises:
        ValueError: for unknown keyword arguments.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.utils.checkpoint import checkpoint_sequential
        >>> x = torch.zeros(2, requires_grad=True)
        >>> steps = [torch.exp, torch.sin, torch.cos]
        >>> y = checkpoint_sequential(steps, 2, x, use_reentrant=False)
        >>> y.shape
        torch.Size([2])
    """
    if use_reentrant is None:
        warnings.warn(
            EXPLICIT.replace("checkpoint:", "checkpoint.checkpoint_sequential:", 1),
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions.children()) if hasattr(functions, "children") else functions
    size = len(steps) // segments
    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(
            _run_modules(steps[start:end]), input,
            use_reentrant=use_reentrant, preserve_rng_state=preserve,
        )  # fmt: skip
    return _run_modules(steps[end:])(input)


def _run_modules(steps: Any) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        for step in steps:
            x = step(x)
        return x

    return run


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """A block in which checkpoints end recomputation early, or do not.

    Example:
        >>> with set_checkpoint_early_stop(False):
        ...     pass
    """
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """A block in which errors of checkpoints list the saved tensors.

    Example:
        >>> with set_checkpoint_debug_enabled(True):
        ...     pass
    """
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before
