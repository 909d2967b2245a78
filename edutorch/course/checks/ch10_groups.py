"""The check of chapter 10 for parameter groups: two learning rates for one model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from edutorch import nn
from edutorch.course.compare import need_function
from edutorch.course.failure import CheckFailed

from .ch10_transfer import STORIES, Story, call_on_model, freeze_all
from .modules import kind_of

__all__ = ["groups"]

GROUPS_RULE = "head at lr, the rest at lr · factor, frozen ones in neither"


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
        if story.before is freeze_all:
            continue
        rates = RATES[i % len(RATES)]
        model, head = story.build()
        for p in model.parameters():  # equal numbers: `in` cannot distinguish them
            p.data.fill_(0.5)
        numbers_of = ", ".join(map(str, rates.args()))
        called = f"groups(model, head, {numbers_of}), with {story.says}"
        flags = [p.requires_grad for p in model.parameters()]
        got = call_on_model(
            answer, model, head, *rates.args(), called=called, rule=GROUPS_RULE
        )
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


class _Names:
    """Names of a model's parameters: all, frozen, trained, and those of the head."""

    def __init__(self, model: nn.Module, story: Story) -> None:
        named = list(model.named_parameters())
        self.every = [name for name, _ in named]
        self.frozen = [name for name, p in named if not p.requires_grad]
        self.head = [name for name in self.every if story.inside(name)]
        self.trained = [name for name in self.every if name not in self.frozen]

    def rates(
        self, head: float | None, rest: float | None, frozen: bool = False
    ) -> dict[str, float]:
        """The rate of each parameter, given those of the head and of the rest."""
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
