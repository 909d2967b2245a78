"""The check of chapter 10 for transfer: freeze all of a model but its head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, compare, need_function
from edutorch.course.failure import CheckFailed
from edutorch.nn.functional import dropout
from edutorch.ops.create import from_numpy, tensor
from edutorch.random import manual_seed

from .modules import numbers

__all__ = ["STORIES", "Story", "call_on_model", "freeze", "freeze_all"]

FREEZE_RULE = (
    "outside head: no gradients, and evaluation mode; head: both as in training"
)


class _Model(nn.Module):
    """Features with batch norm and dropout, and a head with some name."""

    def __init__(self, name: str = "head", deep: bool = False) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Linear(4, 6),
            nn.Sequential(nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.5)),
            nn.Linear(6, 3, bias=False),
        )
        last: nn.Module = nn.Linear(3, 2)
        if deep:
            last = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Linear(3, 2))
        self.name = name
        setattr(self, name, last)
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x: Any) -> Any:
        return getattr(self, self.name)(self.norm(self.features(x)))


class _Wrapped(nn.Module):
    """A model inside a model."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = _Model("scores", deep=True)
        self.outer = nn.BatchNorm1d(2)

    def forward(self, x: Any) -> Any:
        return self.outer(self.inner(x))


class _Own(nn.Module):
    """A model with a parameter of its own, whose forward depends on its mode."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Linear(4, 3)
        self.scale = nn.Parameter(tensor([1.0, 2.0, 3.0]))
        self.head = nn.Linear(3, 2)

    def forward(self, x: Any) -> Any:
        return self.head(dropout(self.features(x) * self.scale, 0.5, self.training))


def _leave(model: nn.Module) -> None:
    """Leave a model as it is."""


@dataclass(frozen=True)
class Story:
    """A model with some history, and the name of its head."""

    says: str
    make: Callable[[], nn.Module]
    head: str
    before: Callable[[nn.Module], Any] = _leave

    def build(self) -> tuple[nn.Module, nn.Module]:
        """The model and its head."""
        manual_seed(106)
        model = self.make()
        self.before(model)
        return model, model.get_submodule(self.head)

    def inside(self, name: str) -> bool:
        """Whether a parameter or module of this name belongs to the head."""
        return name == self.head or name.startswith(f"{self.head}.")


def freeze_all(model: nn.Module) -> None:
    """Leave nothing to be trained."""
    model.requires_grad_(False)
    model.eval()


def _freeze_some(model: nn.Module) -> None:
    model.features[0].requires_grad_(False)
    model.head.bias.requires_grad_(False)


STORIES: Final = (
    Story("head = model.head", _Model, "head"),
    Story("a head with its own batch norm", lambda: _Model("head", True), "head"),
    Story("head = model.top", lambda: _Model("top"), "top"),
    Story("head = model.inner.scores", _Wrapped, "inner.scores"),
    Story("all of it frozen", lambda: _Model("head", True), "head", freeze_all),
    Story("some of it frozen before", _Model, "head", _freeze_some),
    Story("a parameter model.scale", _Own, "head"),
    Story("head = model[2]", lambda: nn.Sequential(
        nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Linear(3, 2)), "2"),
)  # fmt: skip


def freeze(answer: Any) -> None:
    """10.5: only the head is trained; the rest keeps its statistics."""
    answer = need_function(answer, "freeze")
    for story in STORIES:
        model, head = story.build()
        called = f"freeze(model, head), with {story.says}"
        before = {name: numbers(t) for name, t in model.state_dict().items()}
        flags = _flags(model)
        call_on_model(answer, model, head, called=called, rule=FREEZE_RULE)
        if model.get_submodule(story.head) is not head:
            raise CheckFailed("the head is a different module now", called=called)
        _check_state(model, before, called)
        _check_flags(model, story, flags, called)
        _check_modes(model, story, called)
        _check_training(model, story, called)


def call_on_model(answer: Callable[..., Any], *args: Any, **words: str) -> Any:
    """Call an answer; explain the error of one that searches parameters with `in`.

    Raises:
        CheckFailed: it raises an error.
    """
    try:
        return call(answer, *args, **words)
    except CheckFailed as failure:
        if "must match the size" in failure.what or "ambiguous" in failure.what:
            failure.mistake = (
                "`p in a_list` compares numbers, p == q: look for id(p) in a set of ids"
            )
        raise


def _check_state(model: nn.Module, before: dict[str, Any], called: str) -> None:
    for name, value in model.state_dict().items():
        compare(value, before[name], called=f"{called}; then {name}", tolerance=0.0,
                mistake="freezing must not change any number")  # fmt: skip


def _flags(model: nn.Module) -> dict[str, bool]:
    """Which parameters require a gradient."""
    return {name: p.requires_grad for name, p in model.named_parameters()}


def _check_flags(
    model: nn.Module, story: Story, before: dict[str, bool], called: str
) -> None:
    flags = _flags(model)
    want = {name: story.inside(name) for name in flags}
    if flags == want:
        return
    outside = [n for n in flags if flags[n] and not want[n]]
    inside = [n for n in flags if want[n] and not flags[n]]
    raise CheckFailed(
        "parameters outside the head require a gradient"
        if outside
        else "parameters of the head require no gradient",
        called=called,
        got=str([n for n in flags if flags[n]]),
        expected=str([n for n in flags if want[n]]),
        rule=FREEZE_RULE,
        mistake=_why_trained(model, outside, inside, before)
        if outside
        else _why_frozen(story, inside, before),
    )


def _why_frozen(story: Story, inside: list[str], before: dict[str, bool]) -> str:
    """Why parameters of the head are frozen, but none outside it is trained."""
    if story.head != "head" and all(before[n] for n in inside):
        return (
            "the head need not be called head, nor be one of model's children: the "
            "head must be trained: head.requires_grad_(True) acts on the module given"
        )
    return "the head must be trained: head.requires_grad_(True), after the rest"


def _why_trained(
    model: nn.Module, outside: list[str], inside: list[str], before: dict[str, bool]
) -> str:
    """Why parameters outside the head require a gradient."""
    rest = set(before) - {n for n in before if n in outside}
    if _flags(model) == before:
        return "nothing was frozen: requires_grad_(False), with the underscore"
    if inside and len(rest) == len(inside):
        return "the other way round: the head is trained, and all else is frozen"
    if all("." not in n for n in outside):
        return (
            "a parameter may belong to model itself, not to a layer: "
            "model.parameters() has them all"
        )
    if any(n.startswith("features") for n in before) and not any(
        n.startswith("features") for n in outside
    ):
        return "there may be layers besides features and head: freeze all of model"
    sizes = {name: p.dim() for name, p in model.named_parameters()}
    if all(sizes[n] == 1 for n in outside):
        return "batch norm's weight and bias, and biases, are parameters, too"
    return ""


def _check_modes(model: nn.Module, story: Story, called: str) -> None:
    """Check the mode of each module for which it matters."""
    modules = {n: m for n, m in model.named_modules() if _has_mode(m)}
    outside = [n for n, m in modules.items() if m.training and not story.inside(n)]
    inside = [n for n, m in modules.items() if not m.training and story.inside(n)]
    if outside:
        name = outside[0] or "the model itself"
        training = [n or "model" for n, m in modules.items() if m.training]
        raise CheckFailed(
            f"{name} is still in training mode",
            called=called,
            got=f"in training: {training}",
            expected="only what is in the head",
            rule=FREEZE_RULE,
            mistake=_why_training(
                modules[outside[0]],
                [m for n, m in modules.items() if not m.training],
            ),
        )
    if inside:
        raise CheckFailed(
            f"{inside[0]}, in the head, is in evaluation",
            called=called,
            expected="the head is in training mode",
            rule=FREEZE_RULE,
            mistake="the head is trained: head.train(), after model.eval()",
        )


def _has_mode(module: nn.Module) -> bool:
    """Whether a module computes something else in evaluation."""
    return isinstance(module, (nn.BatchNorm1d, nn.Dropout, _Own))


def _why_training(module: nn.Module, others: list[nn.Module]) -> str:
    """Why a module outside the head is in training mode, and others are not."""
    if isinstance(module, _Own):
        return (
            "model's own forward may ask self.training: model.eval() sets it for "
            "model, and for all that is in it"
        )
    if isinstance(module, nn.Dropout):
        return "eval() stops dropout"
    if any(isinstance(other, nn.BatchNorm1d) for other in others):
        return "there may be layers besides features and head: all of model in eval()"
    return "batch norm's statistics are not parameters: only eval() stops them"


def _check_training(model: nn.Module, story: Story, called: str) -> None:
    """Check the purpose: after a step only the head has changed."""
    before = {name: numbers(t) for name, t in model.state_dict().items()}
    x = from_numpy(np.random.default_rng(5).standard_normal((8, 4)).astype(np.float32))
    (model(x) ** 2).sum().backward()
    moved = [
        name
        for name, value in model.state_dict().items()
        if not story.inside(name) and not np.array_equal(numbers(value), before[name])
    ]
    if moved:
        raise CheckFailed(
            f"{moved[0]} changed while the head was trained",
            called=f"{called}; model(x)",
            rule=FREEZE_RULE,
        )
    for name, p in model.named_parameters():
        if story.inside(name) and p.grad is None:
            raise CheckFailed(f"{name} gets no gradient", called=called)
