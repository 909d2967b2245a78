"""Backward hooks of modules, which run where gradients enter and leave a module.

Full hooks run at identities around a call: `BackwardHook`. Legacy hooks are registered
at the node that made the module's result, so they see the gradients of that operation
only; a warning says so where the module's `forward` is more than one operation.
"""

from __future__ import annotations

import warnings
from typing import Any

from ..autograd.batched_tensor import any_batched
from ..autograd.dispatch import Op, apply
from ..autograd.function_outputs import link_returned_input
from ..autograd.modes import is_grad_enabled
from ..overrides import as_class, has_torch_function
from ..tensor.tensor import Tensor

__all__ = ["BackwardHook", "hook_result_node"]

WILL_BE_REMOVED = "is deprecated and will be removed in future versions."
MISSING = "This hook will be missing some"
ADVICE = "Please use register_full_backward_hook to get the documented behavior."


class BackwardHookFunction(Op):
    """An identity op, at which backward runs a module's hooks.

    Math: yi = xi      ∂L/∂xi = gi
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()
    multiple_outputs = True

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "BackwardHookFunctionBackward"

    def forward(self, *arrays: Any) -> Any:
        return tuple(array.view() for array in arrays)

    def backward(self, *gradients: Any) -> Any:
        return gradients


class BackwardHook:
    """The full backward hooks of one module call: identity ops on both sides run them.

    Backward reaches the identity at the outputs first. It stores the gradients there
    and calls `pre_hooks`; at the identity of the inputs `hooks` receive both sides.
    """

    def __init__(self, module: Any, hooks: list[Any], pre_hooks: list[Any]) -> None:
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.n_inputs = self.n_outputs = 0
        self.input_tensors: Any = None  # positions of tensors in args, or None
        self.output_tensors: Any = None
        self.grad_outputs: tuple[Any, ...] | None = None

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, passed through an identity."""
        self.n_inputs = len(args)
        args, self.input_tensors, node = _through_identity(args)
        if node is not None:
            node.register_hook(self._run_at_inputs)
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """The result, passed through an identity."""
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or "
                f"a tuple of Tensors but received {type(result)}",
                stacklevel=4,
            )
            return result
        results = result if isinstance(result, tuple) else (result,)
        self.n_outputs = len(results)
        results, self.output_tensors, node = _through_identity(results)
        if node is not None:
            node.register_hook(self._run_at_outputs)
        return results if isinstance(result, tuple) else results[0]

    def _run_at_outputs(self, _: Any, g: tuple[Any, ...]) -> Any:
        self.grad_outputs = _scatter(g, self.output_tensors or [], self.n_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, self.grad_outputs)
            if changed is None:
                continue
            if len(changed) != len(self.grad_outputs):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(changed)}, but expected {len(self.grad_outputs)}"
                )
            self.grad_outputs = changed
        g = tuple(self.grad_outputs[i] for i in self.output_tensors)
        if self.input_tensors is None:
            self._run_without_inputs()
        return g

    def _run_without_inputs(self) -> None:
        """Run the hooks at the outputs, since no input needs a gradient."""
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to "
            "module outputs since no inputs require gradients. See "
            "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details.",
            stacklevel=2,
        )
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.n_inputs, self.grad_outputs)
            if changed is not None and any(g is not None for g in changed):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should "
                    "always return None or None for all gradients."
                )
        self.grad_outputs = None

    def _run_at_inputs(self, gx: tuple[Any, ...], _: Any) -> Any:
        if self.grad_outputs is None:  # no gradient came through the outputs
            return None
        grad_inputs = _scatter(gx, self.input_tensors or [], self.n_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is None:
                continue
            if len(changed) != len(grad_inputs):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, got "
                    f"{len(changed)}, but expected {len(grad_inputs)}"
                )
            grad_inputs = changed
        self.grad_outputs = None
        return tuple(grad_inputs[i] for i in self.input_tensors)


def _through_identity(values: tuple[Any, ...]) -> Any:
    """Pass tensors through an identity; returns values, tensor positions and node.

    Positions and node are None where no tensor requires a gradient.
    """
    tensors = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not (is_grad_enabled() and any(values[i].requires_grad for i in tensors)):
        return values, None, None
    if any_batched(values):  # inside `vmap` no hook runs
        return values, None, None
    outs = apply(BackwardHookFunction(), *(values[i] for i in tensors))
    changed = list(values)
    live = [i for i in tensors if values[i].requires_grad]
    for i, out in zip(tensors, outs, strict=True):
        if i in live:
            if has_torch_function((values[i],)):  # the identity preserves classes
                node, out = out, as_class(out, type(values[i]))
                out._grad_fn, out._output_nr = node._grad_fn, node._output_nr
            changed[i] = out
            link_returned_input(values[i], out, several=len(live) > 1)
    exact = type(values) is tuple  # not a named tuple
    passed = tuple(changed) if exact else type(values)(*changed)
    return passed, tensors, next(o.grad_fn for o in outs if o.grad_fn is not None)


def _scatter(values: Any, positions: list[int], n: int) -> tuple[Any, ...]:
    """Values at the given positions of a tuple of length `n`; None elsewhere."""
    scattered: list[Any] = [None] * n
    for i, value in zip(positions, values, strict=True):
        scattered[i] = value
    return tuple(scattered)


# ---- legacy hooks


def hook_result_node(module: Any, hooks: list[Any], args: Any, result: Any) -> None:
    """Register legacy hooks at the node of the first tensor in a module's result."""
    node = getattr(_first_tensor(result), "grad_fn", None)
    if node is None:
        return
    for hook in hooks:
        node.register_hook(lambda gx, g, hook=hook: hook(module, gx, g))
    message = _legacy_warning(node, args, result)
    if message is not None:
        warnings.warn(message, FutureWarning, stacklevel=4)


def _first_tensor(result: Any) -> Tensor | None:
    while result is not None and not isinstance(result, Tensor):
        values = result.values() if isinstance(result, dict) else result
        result = next((v for v in values if isinstance(v, Tensor)), None)
    return result


def _legacy_warning(node: Any, args: Any, result: Any) -> str | None:
    """The warning about gradients that a hook on this node misses, or None."""
    results = (result,) if isinstance(result, Tensor) else result
    for values, verb, which in (
        (results, "return", "output"), (args, "take as input", "input"),
    ):  # fmt: skip
        tensors = isinstance(values, tuple) and all(
            isinstance(v, Tensor) for v in values
        )
        if not tensors:
            return (
                f"Using non-full backward hooks on a Module that does not {verb} a "
                f"single Tensor or a tuple of Tensors {WILL_BE_REMOVED} {MISSING} of "
                f"the grad_{which}. {ADVICE}"
            )
    made_by = {t.grad_fn for t in results if t.grad_fn is not None}
    if made_by == {node}:
        before = {x.grad_fn for x in args if x.grad_fn is not None}
        if before == {found for found, _ in node.next_functions}:
            return None
        kind, which = "the forward contains multiple autograd Nodes", "input"
    else:
        kind, which = "outputs are generated by different autograd Nodes", "output"
    return (
        f"Using a non-full backward hook when {kind} {WILL_BE_REMOVED} {MISSING} "
        f"grad_{which}. {ADVICE}"
    )
