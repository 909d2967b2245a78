"""The check of chapter 17 for recomputation: gradients and memory."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edutorch.autograd.modes import is_grad_enabled
from edutorch.course.answer_calls import record_calls
from edutorch.course.compare import compare, need_function, need_tensor
from edutorch.course.compare_functions import check_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws

from .ch17_leak import Token, hold
from .optimizer_steps import call_limited

__all__ = ["recompute"]

RULE = (
    "forward: without a graph, keep x alone; backward: the block once more, with a "
    "graph, and backward through it with the gradient that came in"
)
ORDER = "one gradient for each argument of forward, in their order: None for the block"
TWICE = 2  # forward, and once more in backward


@dataclass
class _Block:
    """tanh(x w + b), with a record of its calls.

    Attributes:
        calls: whether a graph was recorded, at each call.
        tokens: one in the graph of each call.
    """

    weight: Any
    bias: Any
    calls: list[bool] = field(default_factory=list)
    tokens: list[weakref.ref[Token]] = field(default_factory=list)

    def __call__(self, x: Any) -> Any:
        self.calls.append(is_grad_enabled())
        y, token = hold((x @ self.weight + self.bias).tanh())
        self.tokens.append(token)
        return y

    def parameters(self) -> Iterator[Any]:
        """The weight and the bias."""
        yield self.weight
        yield self.bias

    def alive(self) -> int:
        """The number of graphs of its calls that are alive."""
        return sum(token() is not None for token in self.tokens)


Gradients = dict[str, Any]


def recompute(answer: Any) -> None:
    """17.4: recomputed activations.

    Raises:
        CheckFailed: a value or gradient is wrong, or something is kept.
    """
    answer = need_function(answer, "recompute")
    for number, draw in enumerate(draws(4, ("float32", "float64"))):
        _grade(answer, draw, history=number >= 2)


def _grade(answer: Callable[..., Any], draw: Draw, history: bool) -> None:
    """One block with an x that was computed or is a leaf."""
    rows, wide = draw.size(2, 5), draw.size(2, 5)
    high = wide + draw.size(1, 3)
    start = draw.tensor(rows, wide)
    weight, bias = draw.tensor(wide, high), draw.tensor(high)
    incoming = draw.tensor(rows, high)
    want = _plain(start, weight, bias, incoming)
    block = _Block(*(p.clone().requires_grad_() for p in (weight, bias)))
    leaf = start.clone().requires_grad_()
    x = leaf * 1 if history else leaf
    before = np.array(x.detach().numpy())
    called = f"recompute(block, x), x of shape {tuple(x.shape)}"
    with record_calls() as recorded:
        y = _forward(answer, block, x, called)
    check_functions(recorded, ("checkpoint",), "recompute", RULE)
    if y is None:
        raise CheckFailed("returned None: is a return missing?", called=called)
    need_tensor(y, called=called, rule=RULE)
    compare(y, want["y"], rule="the value is block(x)", called=called)
    _check_forward(block, y, called)
    then = f"y = {called}; y.backward(g)"
    with record_calls() as recorded:
        _backward(y, incoming, then)
    check_functions(recorded, ("checkpoint",), "recompute", RULE)
    _check_backward(block, then)
    got = {"x": leaf.grad, "weight": block.weight.grad, "bias": block.bias.grad}
    others = _mistaken(start, weight, bias, incoming)
    for name in ("x", "weight", "bias"):
        _compare(name, got, want, others, then)
    if not np.array_equal(before, x.detach().numpy()):
        raise CheckFailed("x was changed in place", called=then, rule=RULE)


def _forward(answer: Callable[..., Any], block: _Block, x: Any, called: str) -> Any:
    try:
        return call_limited(answer, block, x, called=called, rule=RULE)
    except CheckFailed as failure:
        if "not callable" in failure.what:
            failure.mistake = "apply hands its arguments to forward, in their order"
        raise


def _plain(x: Any, weight: Any, bias: Any, incoming: Any) -> Gradients:
    """The value and the gradients without recomputation."""
    x, weight, bias = (t.clone().requires_grad_() for t in (x, weight, bias))
    y = (x @ weight + bias).tanh()
    y.backward(incoming)
    return {"y": y.detach(), "x": x.grad, "weight": weight.grad, "bias": bias.grad}


def _mistaken(x: Any, weight: Any, bias: Any, incoming: Any) -> dict[str, Gradients]:
    right = _plain(x, weight, bias, incoming)
    grads = {n: right[n] for n in ("x", "weight", "bias")}
    ones = _plain(x, weight, bias, incoming * 0 + 1)
    return {
        "the incoming gradient is not used: y.backward(g), not y.sum()": ones,
        "it arrives twice: detach x before the block runs again, or its gradient "
        "goes through the old graph, too": {n: 2 * g for n, g in grads.items()},
    }


def _check_forward(block: _Block, y: Any, called: str) -> None:
    if not y.requires_grad:
        raise CheckFailed(
            "the result has no history: backward will never get here",
            called=called,
            got="a tensor that requires no gradient",
            expected="the result of a Function's apply",
            rule=RULE,
            mistake="no_grad around everything cuts the graph: write a Function, "
            "and return Recompute.apply(block, x)",
        )
    if block.alive():
        raise CheckFailed(
            "the block's activations are kept after forward",
            called=called,
            got="the graph of the block is alive",
            expected="no graph: x is all that is kept",
            rule=RULE,
            mistake="run the block within no_grad(), or hand over what a Function's "
            "forward has computed: nothing is recorded there",
        )
    if len(block.calls) != 1:
        raise CheckFailed(
            f"forward called the block {len(block.calls)} times",
            called=called,
            rule=RULE,
            mistake="once is enough, without a graph",
        )


def _backward(y: Any, incoming: Any, called: str) -> None:
    try:
        call_limited(y.backward, incoming, called=called, rule=RULE)
    except CheckFailed as failure:
        failure.mistake = _cause(failure.what) or failure.mistake
        raise


def _cause(what: str) -> str:
    """The cause of an exception in backward."""
    if "does not require grad" in what:
        return (
            "backward records nothing by itself: enable_grad() around the block, and "
            "an x that requires a gradient: x.detach().requires_grad_()"
        )
    if "invalid gradient" in what:
        return f"{ORDER}; g itself has the shape of the result, not of x"
    if "gradient" in what and ("expected" in what or "not a Variable" in what):
        return ORDER
    if "scalar outputs" in what:
        return "y is not a single number: y.backward(g)"
    return ""


def _check_backward(block: _Block, called: str) -> None:
    if len(block.calls) == TWICE and block.calls[1]:
        return
    count = len(block.calls) - 1
    raise CheckFailed(
        f"backward called the block {count} time{'' if count == 1 else 's'}"
        + ("" if count != 1 else " without a graph"),
        called=called,
        expected="one call, with a graph",
        rule=RULE,
        mistake=""
        if count == 1
        else "once is enough: that is the price of keeping nothing",
    )


def _compare(
    name: str,
    got: Gradients,
    want: Gradients,
    others: dict[str, Gradients],
    called: str,
) -> None:
    grad = got[name]
    if grad is None:
        raise CheckFailed(
            f"no gradient has arrived at {'x' if name == 'x' else f'the {name}'}",
            called=called,
            got="None",
            rule=RULE,
            mistake=(
                "backward returns a gradient for each argument of forward, in their "
                "order: None for the block, and x.grad"
                if name == "x"
                else "autograd.grad returns only the gradients it is asked for; "
                "y.backward(g) also reaches the block's parameters"
            ),
        )
    try:
        compare(grad, want[name], rule=RULE, called=f"{called}; then {name}.grad")
    except CheckFailed as failure:
        for words, made in others.items():
            other = made.get(name)
            if other is not None and _near(grad, other):
                failure.mistake = words
        raise


def _near(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool(np.allclose(a.numpy(), b.numpy(), rtol=1e-4))
