"""The check of chapter 17 for training on a GPU: losses and copies."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

from edutorch import nn
from edutorch.course.compare import compare, need_function, need_tensor
from edutorch.course.failure import CheckFailed
from edutorch.course.gpu_counters import GPUCounters
from edutorch.course.random_cases import Draw, draws
from edutorch.cuda import simulate
from edutorch.nn import functional
from edutorch.ops.shape.joining import stack
from edutorch.optim import SGD

from .ch17_leak import WatchedModel
from .optimizer_steps import call_limited

__all__ = ["train_on"]

RULE = (
    "copy to the device once: every parameter, x, y; copy back once: all "
    "losses together"
)
NUMBER: Final = 4  # bytes of a loss
Losses = Callable[..., Any]


def train_on(answer: Any) -> None:
    """17.5: training with the fewest copies.

    Raises:
        CheckFailed: a loss is wrong, or there are more copies than needed.
    """
    answer = need_function(answer, "train_on")
    for draw in draws(3, ("float32",)):
        with simulate(devices=1, memory="64MB"):
            _grade(answer, draw)


def _grade(answer: Callable[..., Any], draw: Draw) -> None:
    inputs, classes, count = draw.size(2, 5), draw.size(2, 4), draw.size(3, 8)
    model = WatchedModel(_model(draw, inputs, classes))
    x, y = draw.tensor(count, inputs), draw.labels(count, classes)
    steps, lr = draw.size(3, 6), draw.choice((0.1, 0.3, 0.5))
    want = {
        name: kind(copy.deepcopy(model), x, y, steps, lr)
        for name, kind in _WAYS.items()
    }
    called = f'train_on("cuda:0", model, x, y, steps={steps}, lr={lr})'
    arguments = ("cuda:0", model, x, y, steps, lr)
    with GPUCounters() as counters:
        got = _run(answer, arguments, called)
    _check_losses(got, want, called)
    _check_copies(counters, sum(1 for _ in model.parameters()), steps, called)
    _check_graphs(model, called)
    _check_model(model, called)


def _run(answer: Callable[..., Any], arguments: tuple[Any, ...], called: str) -> Any:
    try:
        return call_limited(answer, *arguments, called=called, rule=RULE)
    except CheckFailed as failure:
        if "same device" in failure.what:
            failure.mistake = (
                "all three go to the device; a model moves itself, x.to(device) is a "
                "copy: x = x.to(device)"
            )
        raise


def _model(draw: Draw, inputs: int, classes: int) -> Any:
    model = nn.Sequential(nn.Linear(inputs, 4), nn.Tanh(), nn.Linear(4, classes))
    for p in model.parameters():
        p.data = draw.tensor(*p.shape)
    return model


def _trained(
    model: Any, x: Any, y: Any, steps: int, lr: float, kind: str = "zero loss step"
) -> Any:
    """The losses of a training; another `kind` makes known mistakes."""
    optimizer = SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        if "zero" in kind:
            optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        if "step" in kind:
            optimizer.step()
        if "late" in kind:
            loss = functional.cross_entropy(model(x), y)
        losses.append(loss.detach())
    return stack(losses)


def _way(kind: str) -> Losses:
    return lambda model, x, y, steps, lr: _trained(model, x, y, steps, lr, kind)


_WAYS: dict[str, Losses] = {
    "": _way("zero loss step"),
    "the gradients of the previous step are still there: zero_grad": _way("loss step"),
    "nothing is learned: optimizer.step() is missing, or it has other parameters": _way(
        "zero loss"
    ),
    "each loss is that BEFORE its step": _way("zero loss step late"),
    "one step more than asked": lambda m, x, y, n, lr: _trained(m, x, y, n + 1, lr),
    "one step fewer than asked": lambda m, x, y, n, lr: _trained(m, x, y, n - 1, lr),
    "the last loss is one of them: return all": lambda m, x, y, n, lr: _trained(
        m, x, y, n, lr
    )[-1],
    "the losses are asked for, not their mean": lambda m, x, y, n, lr: _trained(
        m, x, y, n, lr
    ).mean(),
}  # fmt: skip


def _check_losses(got: Any, want: dict[str, Any], called: str) -> None:
    if isinstance(got, (list, float)):
        raise CheckFailed(
            f"expects a tensor, got a {type(got).__name__}",
            called=called,
            expected="a tensor of the losses, on the CPU",
            rule=RULE,
            mistake="a list of numbers takes a copy for each: stack them on the "
            "device, and bring the tensor back",
        )
    need_tensor(got, called=called, rule=RULE)
    if got.requires_grad:
        raise CheckFailed(
            "the losses have a history",
            called=called,
            rule="keeping a graph keeps its activations: this is the leak of "
            "exercise 17.3",
            mistake="append loss.detach(), which stays on the device",
        )
    if got.device.type != "cpu":
        raise CheckFailed(
            f"the losses are on {got.device}",
            called=called,
            expected="on the CPU",
            rule=RULE,
            mistake=".cpu() at the end, for all at once",
        )
    try:
        compare(got, want[""], rule="the loss before each step", called=called)
    except CheckFailed as failure:
        for words, other in want.items():
            same = words and got.shape == other.shape
            if same and bool((got - other).abs().max() < 1e-5):
                failure.mistake = words
        raise


def _check_copies(
    counters: GPUCounters, parameters: int, steps: int, called: str
) -> None:
    there, back = counters.between("cpu", "cuda"), counters.between("cuda", "cpu")
    fewest = parameters + 2
    if len(there) == fewest and len(back) == 1:
        return
    raise CheckFailed(
        f"{len(there)} copies to the device and {len(back)} back",
        called=called,
        got=repr(counters).split("\n", 1)[-1].strip()
        if counters.copies
        else "no copies",
        expected=f"{fewest} there ({parameters} parameters, x and y) and 1 back",
        rule=RULE,
        mistake=_cause(len(there) - fewest, back, steps),
    )


def _cause(more: int, back: list[int], steps: int) -> str:
    """Why there are more copies than necessary."""
    if more < 0:
        return "the training ran on the CPU: move model, x and y to the device"
    if more >= steps - 1:
        return "x or y, or the model, goes there in every step: once before the loop"
    if back.count(NUMBER) >= steps:
        return (
            "item(), float(), print(), cpu() and writing into a tensor of the CPU "
            "fetch each loss alone, and wait for it: keep loss.detach(), and stack "
            "them at the end"
        )
    if more > 0:
        return (
            "something is copied to the device that is already there, or "
            "could be made there"
        )
    return "something is copied back that is not needed, such as the model"


def _check_graphs(model: WatchedModel, called: str) -> None:
    model.graphs.note()
    kept = sorted(model.graphs.kept)
    if kept:
        raise CheckFailed(
            "graphs of earlier steps are still alive",
            called=called,
            got=f"alive two steps later, or more: the graphs of steps {kept}",
            expected="none but that of the step before",
            rule="a graph lives as long as any tensor that it has made",
            mistake="a list of losses holds all their graphs, and so does a tensor "
            "into which they are written, even if the result is detached at the end: "
            "keep loss.detach(), which stays on the device",
        )


def _check_model(model: Any, called: str) -> None:
    away = [name for name, p in model.named_parameters() if p.device.type != "cuda"]
    if away:
        raise CheckFailed(
            f"the model's {away[0]} is not on the device afterwards",
            called=called,
            rule="model.to(device) moves the model itself; leave it there",
        )
