"""Steps of backward that make NaN or infinity: the right name, and known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from edutorch.course.compare import need_function
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor
from edutorch.ops.pointwise.ternary import where

__all__ = ["STEPS_SHOWN", "STEP_MISTAKES", "Loss", "first_bad", "grade_step"]

INF: Final = float("inf")


@dataclass(frozen=True)
class Loss:
    """A loss that is computed anew for every call, since backward frees its graph."""

    code: str
    run: Callable[[Any], Any]
    values: tuple[float, ...]

    def __repr__(self) -> str:
        return f"{self.code}, x = {list(self.values)}"

    def made(self) -> Any:
        """The loss, with its graph."""
        return self.run(tensor(self.values, requires_grad=True))


STEP_RULE = "the first step whose grad_inputs, the gradients that LEAVE, are not finite"

GRAPHS: Final[dict[str, Callable[[Any], Any]]] = {
    "(x.sqrt() * 0).sum()": lambda x: (x.sqrt() * 0).sum(),
    "(x * x).sqrt().sum()": lambda x: (x * x).sqrt().sum(),
    "(x.log() * x).exp().sum()": lambda x: (x.log() * x).exp().sum(),
    "(x * x).exp().sum()": lambda x: (x * x).exp().sum(),
    "(x + inf).sum()": lambda x: (x + INF).sum(),
    "(-x.log()).sum()": lambda x: (-x.log()).sum(),
    "where(x > 0, x.sqrt(), 0).sum()": lambda x: where(x > 0, x.sqrt(), 0).sum(),
    "((x * 0 + 1) / x).sum()": lambda x: ((x * 0 + 1) / x).sum(),
    "(3 * x).sqrt().exp().mean()": lambda x: (3 * x).sqrt().exp().mean(),
    "(2 * x.log()).tanh().sum()": lambda x: (2 * x.log()).tanh().sum(),
}


def _loss(code: str, *values: float) -> tuple[Loss]:
    return (Loss(code, GRAPHS[code], values),)


STEPS_SHOWN: Final = (
    _loss("(x.sqrt() * 0).sum()", 4.0, 0.0),
    _loss("(x * x).sqrt().sum()", 3.0, 0.0),
    _loss("(x.log() * x).exp().sum()", 2.0, 0.0),
    _loss("(x * x).exp().sum()", 1.0, 2.0),
    _loss("(x + inf).sum()", 1.0, 2.0),
    _loss("(-x.log()).sum()", 1.0, 0.0),
    _loss("where(x > 0, x.sqrt(), 0).sum()", 4.0, 0.0),
    _loss("((x * 0 + 1) / x).sum()", 2.0, 1e-30),
    _loss("((x * 0 + 1) / x).sum()", 1e-25, 1.0, 3.0),
    _loss("(x * x).sqrt().sum()", 0.0, 0.0),
    _loss("(2 * x.log()).tanh().sum()", 1.0, 2.0),
)


def _fresh_loss(draw: Draw) -> tuple[Loss]:
    values = [draw.number(0.2, 3.0) for _ in range(draw.size(1, 4))]
    if draw.size(0, 3):  # one in four stays finite
        values[draw.size(0, len(values) - 1)] = 0.0
    return _loss(draw.choice(list(GRAPHS)), *values)


@lru_cache(maxsize=64)
def _walk(given: Loss) -> tuple[Any, ...]:
    return tuple(given.made().backward_steps())


def _first(steps: Sequence[Any], bad: Callable[[Any], bool]) -> Any:
    return next((step.name for step in steps if bad(step)), None)


def _arrays(gradients: Sequence[Any]) -> list[Any]:
    return [g.detach().numpy() for g in gradients if g is not None]


def _leaves(judge: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """A function that tells whether any gradient sent by a step satisfies `judge`."""
    return lambda step: any(bool(judge(g)) for g in _arrays(step.grad_inputs))


def _not_finite(g: Any) -> bool:
    return not bool(np.isfinite(g).all())


BAD: Final = _leaves(_not_finite)


def first_bad(given: Loss) -> str | None:
    """The right name."""
    name: str | None = _first(_walk(given), BAD)
    return name


def _judged(bad: Callable[[Any], bool]) -> Callable[[Loss], Any]:
    return lambda given: _first(_walk(given), bad)


def _receives(step: Any) -> bool:
    return any(map(_not_finite, _arrays(step.grad_outputs)))


def _first_entry(step: Any) -> bool:
    return any(map(_not_finite, _arrays(step.grad_inputs[:1])))


def _last_bad(given: Loss) -> Any:
    return _first(_walk(given)[::-1], BAD)


def _beside(shift: int) -> Callable[[Loss], Any]:
    """A mistake: the name of a neighbour of the step."""

    def mistaken(given: Loss) -> Any:
        steps = _walk(given)
        at = next((i for i, step in enumerate(steps) if BAD(step)), None)
        if at is None:
            return None
        return steps[max(0, min(at + shift, len(steps) - 1))].name

    return mistaken


def _number(given: Loss) -> Any:
    return next((step.index for step in _walk(given) if BAD(step)), None)


def _else(place: Any) -> Callable[[Loss], Any]:
    """A mistake: a name, or another value than None, for a backward without NaN."""

    def mistaken(given: Loss) -> Any:
        other = _walk(given)[place].name if isinstance(place, int) else place
        return first_bad(given) or other

    return mistaken


def _of_forward(given: Loss) -> Any:
    steps = _walk(given)
    return steps[0].name if _not_finite(given.made().detach().numpy()) else None


STEP_MISTAKES: Final[dict[str, Mistake]] = {
    "it always returns None: is a return missing?": lambda _given: None,
    "that is the first step of all, whatever it made": (
        lambda given: _walk(given)[0].name,
        lambda given: first_bad(given) and _walk(given)[0].name,
    ),
    "that is the last bad step; the trouble began earlier": _last_bad,
    "that is the last step of all": (
        lambda given: _walk(given)[-1].name,
        lambda given: first_bad(given) and _walk(given)[-1].name,
    ),
    "that step RECEIVES it: grad_outputs arrive, grad_inputs leave": (
        _judged(_receives)
    ),
    "both were tested: what ARRIVES says nothing about this step": _judged(
        lambda step: BAD(step) and _receives(step)
    ),
    "isnan misses infinities": _judged(_leaves(lambda g: np.isnan(g).any())),
    "isinf misses NaN": _judged(_leaves(lambda g: np.isinf(g).any())),
    "an infinity may be negative": _judged(
        _leaves(lambda g: (np.isnan(g) | (g == INF)).any())
    ),
    "only the first of grad_inputs was looked at": (
        _judged(_first_entry),
        _judged(lambda step: any(map(_not_finite, _arrays(step.grad_inputs)[:1]))),
    ),
    "one bad element is enough: it need not be all of them": _judged(
        _leaves(lambda g: g.size and not np.isfinite(g).any())
    ),
    "only the first element was looked at": _judged(
        _leaves(lambda g: g.size and _not_finite(g.reshape(-1)[0]))
    ),
    "for a healthy backward return None, not a name": (_else(0), _else(-1)),
    "for a healthy backward return None": (_else(""), _else("None"), _else(False)),
    "return step.name, not step.index": _number,
    "that is the step after it": _beside(1),
    "that is the step before it": _beside(-1),
    "the name as it is: SqrtBackward0, not Sqrt": lambda given: (first_bad(given) or "")
    .removesuffix("Backward0") or None,
    "the loss says nothing about backward: look at each step": _of_forward,
}  # fmt: skip


def grade_step(answer: Any) -> None:
    """04.1: on losses computed anew."""
    answer = need_function(answer, "first_bad_step")

    def first_bad_step(given: Loss) -> Any:
        return answer(given.made())

    compare_functions(
        first_bad_step,
        "first_bad_step",
        right=first_bad,
        shown=STEPS_SHOWN,
        fresh=_fresh_loss,
        rule=STEP_RULE,
        mistakes=STEP_MISTAKES,
    )
