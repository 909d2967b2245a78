"""Checks of chapter 10 for transfer: freeze a model, and group its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, compare, need_function
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy
from edutorch.random import manual_seed

from .modules import kind_of, numbers

__all__ = ["freeze", "groups"]

FREEZE_RULE = (
    "outside head: no gradients, and evaluation mode; head: both as in training"
)
GROUPS_RULE = "head at lr, the rest at lr · factor, frozen ones in neither"


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


@dataclass(frozen=True)
class _Story:
    """A model with some history, and the name of its head."""

    says: str
    make: Callable[[], nn.Module]
    head: str
    before: Callable[[nn.Module], Any] = lambda _: None

    def build(self) -> tuple[nn.Module, nn.Module]:
        manual_seed(106)
        model = self.make()
        self.before(model)
        return model, model.get_submodule(self.head)

    def inside(self, name: str) -> bool:
        """Whether a parameter or module of this name belongs to the head."""
        return name == self.head or name.startswith(f"{self.head}.")


def _freeze_all(model: nn.Module) -> None:
    model.requires_grad_(False)
    model.eval()


def _freeze_some(model: nn.Module) -> None:
    model.features[0].requires_grad_(False)
    model.head.bias.requires_grad_(False)


STORIES: Final = (
    _Story("head = model.head", _Model, "head"),
    _Story("a head with its own batch norm", lambda: _Model("head", True), "head"),
    _Story("head = model.top", lambda: _Model("top"), "top"),
    _Story("head = model.inner.scores", _Wrapped, "inner.scores"),
    _Story("all of it frozen", lambda: _Model("head", True), "head", _freeze_all),
    _Story("some of it frozen before", _Model, "head", _freeze_some),
    _Story("head = model[2]", lambda: nn.Sequential(
        nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Linear(3, 2)), "2"),
)  # fmt: skip


def freeze(answer: Any) -> None:
    """10.5: only the head is trained; the rest keeps its statistics."""
    answer = need_function(answer, "freeze")
    for story in STORIES:
        model, head = story.build()
        called = f"freeze(model, head), with {story.says}"
        before = {name: numbers(t) for name, t in model.state_dict().items()}
        call(answer, model, head, called=called, rule=FREEZE_RULE)
        if model.get_submodule(story.head) is not head:
            raise CheckFailed("the head is a different module now", called=called)
        _check_state(model, before, called)
        _check_flags(model, story, called)
        _check_modes(model, story, called)
        _check_training(model, story, called)


def _check_state(model: nn.Module, before: dict[str, Any], called: str) -> None:
    for name, value in model.state_dict().items():
        compare(value, before[name], called=f"{called}; then {name}", tolerance=0.0,
                mistake="freezing must not change any number")  # fmt: skip


def _check_flags(model: nn.Module, story: _Story, called: str) -> None:
    flags = {name: p.requires_grad for name, p in model.named_parameters()}
    want = {name: story.inside(name) for name in flags}
    if flags == want:
        return
    outside = [n for n in flags if flags[n] and not want[n]]
    inside = [n for n in flags if want[n] and not flags[n]]
    mistake = ""
    if inside and not outside:
        mistake = "the head must be trained: head.requires_grad_(True), after the rest"
    elif outside and all(n.startswith("features") is False for n in outside):
        mistake = "there may be layers besides features and head: freeze all of model"
    elif outside and set(outside) == set(flags) - {n for n in flags if want[n]}:
        mistake = "nothing was frozen: requires_grad_(False), with the underscore"
    elif outside:
        mistake = "batch norm's weight and bias, and biases, are parameters, too"
    raise CheckFailed(
        "parameters outside the head require a gradient",
        called=called,
        got=str([n for n in flags if flags[n]]),
        expected=str([n for n in flags if want[n]]),
        rule=FREEZE_RULE,
        mistake=mistake,
    )


def _check_modes(model: nn.Module, story: _Story, called: str) -> None:
    """Check the mode of each layer; the modes of mere containers do not matter."""
    layers = {n: m for n, m in model.named_modules() if not list(m.children())}
    outside = [n for n, m in layers.items() if m.training and not story.inside(n)]
    inside = [n for n, m in layers.items() if not m.training and story.inside(n)]
    telling = [
        n for n in outside if isinstance(layers[n], (nn.BatchNorm1d, nn.Dropout))
    ]
    if telling:
        raise CheckFailed(
            f"{telling[0]} is still in training mode",
            called=called,
            got=f"in training: {[n for n, m in layers.items() if m.training]}",
            expected="only what is in the head",
            rule=FREEZE_RULE,
            mistake="batch norm's statistics are not parameters: only eval() stops them"
            if isinstance(layers[telling[0]], nn.BatchNorm1d)
            else "eval() stops dropout",
        )
    telling = [n for n in inside if isinstance(layers[n], nn.BatchNorm1d)]
    if telling:
        raise CheckFailed(
            f"{telling[0]}, in the head, is in evaluation",
            called=called,
            expected="the head is in training mode",
            rule=FREEZE_RULE,
            mistake="the head is trained: head.train(), after model.eval()",
        )


def _check_training(model: nn.Module, story: _Story, called: str) -> None:
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


@dataclass(frozen=True)
class _Rates:
    """The learning rates for one call."""

    lr: float
    factor: float | None = None

    def args(self) -> tuple[float, ...]:
        return (self.lr,) if self.factor is None else (self.lr, self.factor)

    def rest(self) -> float:
        return self.lr * (0.1 if self.factor is None else self.factor)


RATES: Final = (_Rates(0.5), _Rates(0.2, 0.25), _Rates(0.01, 0.5), _Rates(1.0))


def groups(answer: Any) -> None:
    """10.6: two learning rates for one model."""
    answer = need_function(answer, "groups")
    seen = []
    for i, story in enumerate(STORIES):
        if story.before is _freeze_all:
            continue
        rates = RATES[i % len(RATES)]
        model, head = story.build()
        for p in model.parameters():  # equal numbers: `in` cannot distinguish them
            p.data.fill_(0.5)
        numbers_of = ", ".join(map(str, rates.args()))
        called = f"groups(model, head, {numbers_of}), with {story.says}"
        flags = [p.requires_grad for p in model.parameters()]
        got = _sorted(answer, model, head, rates, called)
        found = _rates_of(got, model, called)
        if flags != [p.requires_grad for p in model.parameters()]:
            raise CheckFailed(
                "requires_grad was changed",
                called=called,
                rule="group the parameters, do not change them",
                mistake="ask p.requires_grad, do not set it",
            )
        seen.append((called, found, _Names(model, story), rates))
    mistake = _mistake(seen)
    for called, found, names, rates in seen:
        want = names.rates(rates.lr, rates.rest())
        if _near(found, want):
            continue
        name = next(n for n in names.every if _other(found.get(n), want.get(n)))
        if name in names.frozen:
            mistake = "frozen parameters belong in neither group"
        raise CheckFailed(
            f"{name} does not have the right learning rate",
            called=called,
            got=_rate_text(found.get(name)),
            expected=_rate_text(want.get(name)),
            rule=GROUPS_RULE,
            mistake=mistake,
        )


def _sorted(
    answer: Callable[..., Any],
    model: nn.Module,
    head: nn.Module,
    rates: _Rates,
    called: str,
) -> Any:
    try:
        return call(answer, model, head, *rates.args(), called=called, rule=GROUPS_RULE)
    except CheckFailed as failure:
        if "must match the size" in failure.what or "ambiguous" in failure.what:
            failure.mistake = (
                "`p in a_list` compares numbers, p == q: look for id(p) in a set of ids"
            )
        raise


class _Names:
    """The parameters of a model by how they must be treated."""

    def __init__(self, model: nn.Module, story: _Story) -> None:
        named = list(model.named_parameters())
        self.every = [name for name, _ in named]
        self.frozen = [name for name, p in named if not p.requires_grad]
        self.head = [name for name in self.every if story.inside(name)]
        self.trained = [name for name in self.every if name not in self.frozen]

    def rates(
        self, head: float | None, rest: float | None, frozen: bool = False
    ) -> dict[str, float]:
        """The groups that a way of sorting gives."""
        found = {
            name: head if name in self.head else rest
            for name in self.every
            if frozen or name not in self.frozen
        }
        return {name: rate for name, rate in found.items() if rate is not None}


_Seen = tuple[str, dict[str, float], _Names, _Rates]
_WORDS: Final[dict[str, Callable[[_Names, _Rates], dict[str, float]]]] = {
    "swapped: the head has the larger rate": lambda n, r: n.rates(r.rest(), r.lr),
    "frozen parameters belong in neither group": lambda n, r: n.rates(
        r.lr, r.rest(), frozen=True
    ),
    "the rest is missing: it is trained as well, more slowly": lambda n, r: n.rates(
        r.lr, None
    ),
    "the head is missing": lambda n, r: n.rates(None, r.rest()),
    "lr · factor, not lr / factor": lambda n, r: n.rates(r.lr, r.lr**2 / r.rest()),
    "the argument factor is ignored": lambda n, r: n.rates(r.lr, r.lr * 0.1),
    "factor itself is not a learning rate: lr · factor": lambda n, r: n.rates(
        r.lr, r.rest() / r.lr
    ),
    "the rest must be slower: lr · factor": lambda n, r: n.rates(r.lr, r.lr),
    "the difference: it is lr · factor, not lr - factor": lambda n, r: n.rates(
        r.lr, r.lr - r.rest() / r.lr
    ),
    "lr and factor are swapped": lambda n, r: n.rates(r.rest() / r.lr, r.lr),
    "the head need not be the last two parameters: look for its own": lambda n, r: {
        name: r.lr if name in n.trained[-2:] else r.rest() for name in n.trained
    },
    "the head need not be called head: look for its own parameters": lambda n, r: {
        name: r.lr if name.startswith("head") else r.rest() for name in n.trained
    },
    "the head has lr itself": lambda n, r: n.rates(r.rest(), r.rest()),
    "the argument lr is ignored": lambda n, r: n.rates(0.1, 0.1 * r.rest() / r.lr),
}


def _mistake(seen: list[_Seen]) -> str:
    fits = []
    for words, made in _WORDS.items():
        right = [names.rates(rates.lr, rates.rest()) for *_, names, rates in seen]
        wrong = [made(names, rates) for *_, names, rates in seen]
        telling = sum(not _near(w, r) for w, r in zip(wrong, right, strict=True))
        explained = all(
            _near(found, w) for (_, found, *_), w in zip(seen, wrong, strict=True)
        )
        if explained and telling >= 1:
            fits.append((telling, words))
    return fits[0][1] if len(fits) == 1 else ""


def _near(a: dict[str, float], b: dict[str, float]) -> bool:
    return a.keys() == b.keys() and not any(_other(a[name], b[name]) for name in b)


def _other(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is not b
    return abs(a - b) > 1e-9


def _rate_text(rate: float | None) -> str:
    return "it is in no group" if rate is None else f"{rate:g}"


def _rates_of(got: Any, model: nn.Module, called: str) -> dict[str, float]:
    """The learning rate of each parameter, which must be in exactly one group."""
    if not isinstance(got, (list, tuple)) or not all(isinstance(g, dict) for g in got):
        raise CheckFailed(
            "returned None: is a return missing?"
            if got is None
            else "expects a list of dictionaries",
            called=called,
            got=kind_of(got),
            expected='[{"params": ..., "lr": ...}, {"params": ..., "lr": ...}]',
            rule=GROUPS_RULE,
        )
    names = {id(p): name for name, p in model.named_parameters()}
    found: dict[str, float] = {}
    for group in got:
        for name in _names_in(group, names, called):
            if name in found:
                raise CheckFailed(
                    f"{name} is in two groups, or twice in one",
                    called=called,
                    expected="each parameter once",
                    rule=GROUPS_RULE,
                    mistake="model.parameters() includes the head's: leave them out",
                )
            found[name] = float(group["lr"])
    return found


def _names_in(group: dict[str, Any], names: dict[int, str], called: str) -> list[str]:
    for key in ("params", "lr"):
        if key not in group:
            raise CheckFailed(
                f"a group has no {key!r}",
                called=called,
                got=f"the keys {sorted(map(str, group))}",
                expected="'params' and 'lr'",
                rule='an optimizer reads "params", and settings such as "lr"',
            )
    params = group["params"]
    several = params if isinstance(params, Iterable) else ()
    every = [params] if hasattr(params, "detach") else list(several)
    if any(id(p) not in names for p in every):
        strange = next(p for p in every if id(p) not in names)
        raise CheckFailed(
            "there is something in a group that is not a parameter of the model",
            called=called,
            got=kind_of(strange),
            rule="the parameters themselves, not copies or names",
            mistake="named_parameters() gives pairs: take the second part"
            if isinstance(strange, tuple)
            else "ids tell parameters apart, but an optimizer needs the parameters"
            if isinstance(strange, int)
            else "clone() and detach() make other tensors: those would be trained"
            if hasattr(strange, "detach")
            else "",
        )
    return [names[id(p)] for p in every]
