"""The check of chapter 10 for the gradient by layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, compare, need_function, numbers_of
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy
from edutorch.random import manual_seed

from .modules import kind_of, numbers

__all__ = ["gradient_norms"]

RULE = "the root of the sum of squares of the gradient, for weights of 2 and more dims"
Found = dict[str, float]


@dataclass(frozen=True)
class _Story:
    """A model with some history, created anew for each call, and its loss."""

    says: str
    make: Callable[[], nn.Module]
    before: Callable[[nn.Module], Any] = lambda _: None
    shape: tuple[int, ...] = (5, 4)
    factor: float = 1.0

    def build(self) -> tuple[nn.Module, Any]:
        manual_seed(101)
        model = self.make()
        self.before(model)
        rng = np.random.default_rng(len(self.says))
        x = from_numpy(rng.standard_normal(self.shape).astype(np.float32))
        return model, (model(x) ** 2).mean() * self.factor


class _Detour(nn.Module):
    """A model with a layer that forward never uses."""

    def __init__(self) -> None:
        super().__init__()
        self.used = nn.Linear(4, 2)
        self.unused = nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.used(x)


def _plain() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))


def _images() -> nn.Module:
    body = nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU())
    return nn.Sequential(body, nn.Flatten(), nn.Linear(12, 2))


def _dead() -> nn.Module:
    first = nn.Linear(4, 6)
    first.bias.data.fill_(-100.0)
    return nn.Sequential(first, nn.ReLU(), nn.Linear(6, 2))


def _fill_gradients(model: nn.Module) -> None:
    for p in model.parameters():
        p.grad = p.detach().clone() * 0 + 2


def _freeze_first(model: Any) -> None:
    model[0].requires_grad_(False)


STORIES: Final = (
    _Story("a network of two layers", _plain),
    _Story("a network with gradients of an earlier loss", _plain, _fill_gradients),
    _Story("a convolution with batch norm", _images, shape=(4, 2, 4, 4)),
    _Story("a network whose first layer is frozen", _plain, _freeze_first),
    _Story("a network with a layer that is not used", _Detour),
    _Story("a network whose ReLU lets nothing through", _dead),
    _Story("one layer", lambda: nn.Linear(4, 3), factor=50.0),
    _Story("one layer, used before", lambda: nn.Linear(4, 3), _fill_gradients),
)


def gradient_norms(answer: Any) -> None:
    """10.1: the norm of each weight's gradient."""
    answer = need_function(answer, "gradient_norms")
    seen: list[tuple[str, Found, Found]] = []
    for story in STORIES:
        model, loss = story.build()
        called = f"gradient_norms(model, loss), with {story.says}"
        state = {name: numbers(t) for name, t in model.state_dict().items()}
        flags = [p.requires_grad for p in model.parameters()]
        got = call(answer, model, loss, called=called, rule=RULE)
        found, want = _found(got, called), _measured(story)
        _check_names(found, want, model, called)
        for name, value in model.state_dict().items():
            compare(value, state[name], called=f"{called}; then {name}", tolerance=0.0,
                    mistake="looking must not change a weight")  # fmt: skip
        if flags != [p.requires_grad for p in model.parameters()]:
            raise CheckFailed(
                "requires_grad was changed",
                called=called,
                rule="only look, do not change anything",
            )
        seen.append((called, found, want))
    mistake = _mistake([found for _, found, _ in seen], [want for *_, want in seen])
    for called, found, want in seen:
        for name, right in want.items():
            try:
                compare(found[name], right, called=f"{called}; [{name!r}]", rule=RULE,
                        tolerance=1e-4)  # fmt: skip
            except CheckFailed as failure:
                failure.mistake = mistake or failure.mistake
                raise


def _found(got: Any, called: str) -> Found:
    if not isinstance(got, Mapping):
        raise CheckFailed(
            "returned None: is a return missing?"
            if got is None
            else "expects a dictionary: a number for each name",
            called=called,
            got=kind_of(got),
            rule=RULE,
        )
    found = {}
    for name, value in got.items():
        array = numbers_of(value)
        if array is None or array.size != 1:
            raise CheckFailed(
                "expects one number for each name",
                called=f"{called}; [{name!r}]",
                got=kind_of(value),
                expected="a number",
                rule=RULE,
                mistake="norm() turns a gradient into one number; None has no norm",
            )
        found[str(name)] = float(array.reshape(()))
    return found


def _measured(story: _Story, kind: str = "norm") -> Found:
    """The right values, or those of a known mistake."""
    model, loss = story.build()
    if kind != "added":
        model.zero_grad()
    loss.backward()
    found = {}
    for name, p in model.named_parameters():
        if p.dim() > 1 and p.requires_grad:
            measure = _MEASURES[kind]
            found[name] = (
                0.0 if p.grad is None else measure(numbers(p.grad), numbers(p))
            )
    return found


_MEASURES: Final[dict[str, Callable[[Any, Any], float]]] = {
    "norm": lambda g, _: float((g**2).sum() ** 0.5),
    "added": lambda g, _: float((g**2).sum() ** 0.5),
    "squared": lambda g, _: float((g**2).sum()),
    "rms": lambda g, _: float((g**2).mean() ** 0.5),
    "absolute": lambda g, _: float(abs(g).sum()),
    "mean absolute": lambda g, _: float(abs(g).mean()),
    "largest": lambda g, _: float(abs(g).max()),
    "mean": lambda g, _: float(g.mean()),
    "sum": lambda g, _: float(g.sum()),
    "weight": lambda _, w: float((w**2).sum() ** 0.5),
    "ratio": lambda g, w: float((g**2).sum() ** 0.5 / (w**2).sum() ** 0.5),
    "nothing": lambda *_: 0.0,
}
_WORDS: Final = {
    "added": "an earlier gradient counts as well: begin with model.zero_grad()",
    "squared": "the root is missing",
    "rms": "a mean of squares: the length has their sum",
    "absolute": "a sum of absolute values: the length has squares, and a root",
    "mean absolute": "a mean of absolute values: the length has squares, and a root",
    "largest": "this is the largest number, not the length",
    "mean": "positive and negative numbers cancel in a mean: square them first",
    "sum": "positive and negative numbers cancel in a sum: square them first",
    "weight": "this is the length of the weight, not of its gradient",
    "nothing": "all gradients are 0: is loss.backward() called?",
    "ratio": "the length of the gradient is wanted, not its share",
}


def _mistake(got: list[Found], want: list[Found]) -> str:
    fits = []
    for kind, words in _WORDS.items():
        made = [_measured(story, kind) for story in STORIES]
        telling = sum(not _close(m, w) for m, w in zip(made, want, strict=True))
        if telling >= 2 and all(map(_close, got, made)):
            fits.append(words)
    return fits[0] if len(fits) == 1 else ""


def _close(a: Found, b: Found) -> bool:
    return a.keys() == b.keys() and np.allclose(
        [a[name] for name in b], list(b.values()), rtol=1e-4, atol=1e-6
    )


def _check_names(found: Found, want: Found, model: nn.Module, called: str) -> None:
    if found.keys() == want.keys():
        return
    parameters = dict(model.named_parameters())
    modules = dict(model.named_modules())
    frozen = [name for name, p in parameters.items() if not p.requires_grad]
    more, less = found.keys() - want.keys(), want.keys() - found.keys()
    mistake = ""
    if more and all(name in modules for name in more):
        mistake = "the names are those of named_parameters(), with .weight at the end"
    elif more and all(n in parameters and parameters[n].dim() == 1 for n in more):
        mistake = "biases, and batch norm's weights, have one dimension: leave them out"
    elif more and all(n in frozen for n in more):
        mistake = "a frozen parameter has no gradient: leave it out"
    elif less and not more and found and all("unused" in name for name in less):
        mistake = "a layer that was not used is listed, too, with a gradient of 0"
    elif less and not more and all("0" in n and parameters[n].dim() == 4 for n in less):
        mistake = "kernels have four dimensions, and count as well"
    raise CheckFailed(
        "the names are not those of the weights",
        called=f"{called}; sorted(names)",
        got=str(sorted(found)),
        expected=str(sorted(want)),
        rule="each parameter that requires a gradient and has 2 or more dimensions",
        mistake=mistake,
    )
