"""Chapter 4: debugging forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, compare, expect, need_function, need_tuple
from edutorch.course.exercise import Exercise
from edutorch.course.failure import CheckFailed
from edutorch.nn import functional
from edutorch.ops.create import from_numpy, tensor
from edutorch.optim import SGD

__all__ = ["EXERCISES"]


def first_bad_step(answer: Any) -> None:
    """04.1: the step of a backward pass that first makes a NaN or infinity."""
    answer = need_function(answer, "first_bad_step")
    rule = "the first step whose grad_inputs, the gradients that LEAVE, are not finite"
    cases: tuple[tuple[str, Callable[[Any], Any], tuple[float, ...]], ...] = (
        ("(x * x).sqrt().sum()", lambda x: (x * x).sqrt().sum(), (3.0, 0.0)),
        ("(x.sqrt() * 0).sum()", lambda x: (x.sqrt() * 0).sum(), (4.0, 0.0)),
        ("(x.log() * x).exp().sum()", lambda x: (x.log() * x).exp().sum(), (2.0, 0.0)),
        ("(x * x).exp().sum()", lambda x: (x * x).exp().sum(), (1.0, 2.0)),
    )
    for words, run, values in cases:
        names, bad = _walk(run(tensor(values, requires_grad=True)))
        loss = run(tensor(values, requires_grad=True))
        called = f"first_bad_step(loss) for loss = {words}, x = {list(values)}"
        right = names[bad] if bad is not None else None
        got = call(answer, loss, called=called, rule=rule, want=right)
        if got != right:
            raise CheckFailed(
                "not the step that makes it",
                called=called,
                got=repr(got),
                expected=repr(right),
                rule=rule,
                mistake=_step_mistake(got, names, bad),
            )


def clip_hook(answer: Any) -> None:
    """04.2: a hook that bounds the norm of a gradient."""
    answer = need_function(answer, "clip_hook")
    for limit, values in ((1.0, [3.0, 4.0]), (2.0, [0.3, -0.4]), (0.5, [-6.0, 8.0])):
        hook = _hook_of(answer, limit)
        g = np.array(values, dtype=np.float32)
        norm = float(np.sqrt((g * g).sum()))
        expect(
            hook,
            tensor(values),
            want=g * min(1.0, limit / norm),
            name=f"clip_hook({limit})",
            rule="g · min(1, limit / ‖g‖): the direction stays, the length is bounded",
            wrong={
                "each element was clipped: that turns the gradient": (
                    np.clip(g, -limit, limit)
                ),
                "short gradients stay as they are: never scale up": g * limit / norm,
                "the norm is the ROOT of the sum of squares": (
                    g * min(1.0, limit / norm**2)
                ),
                "nothing was clipped": g,
            },
        )
        _check_hook_at_work(hook, limit, g, norm)


def _hook_of(answer: Callable[..., Any], limit: float) -> Callable[..., Any]:
    called, rule = f"clip_hook({limit})", "define hook(g) inside, and return hook"
    hook = call(answer, limit, called=called, rule=rule)
    if not callable(hook):
        raise CheckFailed(
            "returned no function",
            called=called,
            got=repr(hook),
            expected="a function hook(g)",
            rule=rule,
        )
    return hook


def where_cut(answer: Any) -> None:
    """04.3: the layer of a model that cuts the graph."""
    answer = need_function(answer, "where_cut")
    x = from_numpy(np.ones((2, 3), dtype=np.float32))
    for cut in (2, 1, None, 3):
        model = nn.Sequential(
            *(_Cut() if i == cut else nn.Linear(3, 3) for i in range(5))
        )
        right = None if cut is None else str(cut)
        called = f"where_cut(model, x), where layer {right} cuts"
        rule = "the first layer whose OUTPUT has requires_grad False"
        got = call(answer, model, x, called=called, rule=rule, want=right)
        if got != right:
            raise CheckFailed(
                "not the layer that cuts",
                called=called,
                got=repr(got),
                expected=repr(right),
                rule=rule,
                mistake=_cut_mistake(got, cut),
            )


def repaired(answer: Any) -> None:
    """04.4: three bugs in one training program."""
    standardize, loss_of, step = need_tuple(answer, "standardize, loss_of, step")
    _check_standardize(need_function(standardize, "standardize"))
    _check_loss(need_function(loss_of, "loss_of"))
    _check_step(need_function(step, "step"))


class _Cut(nn.Module):
    """A layer that hands on its input without history."""

    def forward(self, x: Any) -> Any:
        return x.detach() * 2


def _walk(loss: Any) -> tuple[list[str], int | None]:
    """The names of all steps, and the index of the first bad one."""
    names: list[str] = []
    bad = None
    for step in loss.backward_steps():
        names.append(step.name)
        left = [g.numpy() for g in step.grad_inputs if g is not None]
        if bad is None and not all(np.isfinite(g).all() for g in left):
            bad = len(names) - 1
    return names, bad


def _step_mistake(got: Any, names: list[str], bad: int | None) -> str:
    if bad is None:
        return "this backward is healthy: return None"
    if got is None:
        return "a gradient that leaves this step is NaN or infinite"
    if got == names[0]:
        return "that is the first step of all"
    if got == names[-1]:
        return "that is the last step; the trouble began earlier"
    if names.index(got) > bad if got in names else False:
        return "this step RECEIVES it; which one made it? (isnan misses infinities)"
    return "return step.name" if not isinstance(got, str) else ""


def _check_hook_at_work(hook: Any, limit: float, g: Any, norm: float) -> None:
    x = tensor([1.0, 1.0], requires_grad=True)
    x.register_hook(hook)
    (x * from_numpy(g)).sum().backward()
    compare(
        x.grad,
        g * min(1.0, limit / norm),
        called=f"x.register_hook(clip_hook({limit})); backward; x.grad",
        rule="what the hook returns takes the gradient's place",
        wrong={"a hook that returns nothing changes nothing": g},
    )


def _cut_mistake(got: Any, cut: int | None) -> str:
    if cut is None:
        return "every output has history here: return None"
    if got == cut:
        return "return the layer's name, a string, as named_children() gives it"
    if got == str(cut + 1):
        return "one too late: look at the output, not at the input"
    if got is None:
        return "feed each layer the output of the one before, and look at every output"
    return ""


def _check_standardize(answer: Callable[..., Any]) -> None:
    x = np.random.default_rng(4).normal(3, 2, (6, 3)).astype(np.float32)
    x[:, 1] *= 100
    centred = x - x.mean(0)
    rows = x - x.mean(1, keepdims=True)
    expect(
        answer,
        from_numpy(x),
        want=centred / x.std(0, ddof=1),
        rule="each COLUMN (feature) gets mean 0 and standard deviation 1",
        tolerance=1e-4,
        wrong={
            "dim=1 runs along a row: it mixes features": (
                rows / x.std(1, ddof=1, keepdims=True)
            ),
            "one mean for all features": (x - x.mean()) / x.std(ddof=1),
            "divide by the standard deviation, not by the variance": (
                centred / x.var(0, ddof=1)
            ),
        },
    )


def _check_loss(answer: Callable[..., Any]) -> None:
    rng = np.random.default_rng(5)
    x = from_numpy(rng.normal(size=(4, 3)).astype(np.float32))
    y = from_numpy(np.array([0, 2, 1, 2]))
    model = nn.Linear(3, 3)
    scores = model(x).detach()
    log_p = functional.log_softmax(scores, dim=1)
    got = expect(
        answer,
        model,
        x,
        y,
        want=functional.cross_entropy(scores, y),
        rule="cross_entropy takes the scores; it does the softmax itself",
        wrong={
            "softmax was taken twice: cross_entropy has one inside": (
                functional.cross_entropy(functional.softmax(scores, dim=1), y)
            ),
            "sum for mean: the loss is the mean over the batch": (
                functional.nll_loss(log_p, y, reduction="sum")
            ),
        },
    )
    if not getattr(got, "requires_grad", False):
        raise CheckFailed(
            "the loss has no history",
            called="loss_of(model, x, y)",
            rule="stay with tensors: .item() and .detach() cut the graph",
        )


def _check_step(answer: Callable[..., Any]) -> None:
    w = tensor([1.0], requires_grad=True)
    optimizer = SGD([w], lr=0.1)
    for number, right in ((1, 0.6), (2, 0.36)):
        before = float(w.detach()[0])
        loss = (2 * w * w).sum()
        called = f"step(optimizer, loss), time {number}, for loss = 2 w²"
        rule = "zero_grad, backward, step: in this order"
        call(answer, optimizer, loss, called=called, rule=rule)
        compare(
            w,
            [right],
            called=f"{called}; then w",
            rule=rule,
            wrong={
                "w did not move: was the gradient cleared before the step?": [before],
                "the gradient of the step before was still in w.grad": [-0.04],
            },
        )


EXERCISES = (
    Exercise(
        "04.1",
        "the step that makes the NaN",
        2,
        (
            "for step in loss.backward_steps(): look at step.grad_inputs.",
            "Some entries are None; torch.isfinite(g).all() judges the others.",
        ),
        first_bad_step,
    ),
    Exercise(
        "04.2",
        "a hook that clips",
        2,
        (
            "Inside clip_hook, define hook(g), which gives a new tensor; return hook.",
            "If g.norm() is above the limit, return g * (limit / g.norm()).",
        ),
        clip_hook,
    ),
    Exercise(
        "04.3",
        "the layer that cuts the graph",
        1,
        (
            "for name, layer in model.named_children(): x = layer(x)",
            "An output without history says so: x.requires_grad is False.",
        ),
        where_cut,
    ),
    Exercise(
        "04.4",
        "three bugs in one program",
        2,
        (
            "standardize: along which dim do the samples lie? x.mean(dim=...).",
            "What does cross_entropy expect, and what does zero_grad erase, and when?",
        ),
        repaired,
    ),
)
