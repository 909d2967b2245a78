"""Chapter 2: gradient descent on one number, which must stay a leaf."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from edutorch.course.compare import compare, need_function, show
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import tensor

from .optimizer_steps import call_limited

__all__ = ["grade_descend"]

STEP_RULE = "each step: w <- w - lr · 8 (w - 4), the slope of (2w - 8)²"
LEAF_RULE = "update inside torch.no_grad(), so that no history is recorded"
REBOUND = "w = w - ... makes a new tensor: change w in place, with -="
NO_SLOPE = (
    "w.grad is None: call backward before the update, and keep w itself, not a new "
    "tensor"
)
EARLY = "w.grad is reset before it is used: reset it after the update"
BOTTOM: Final = 4.0
FAR: Final = 1e4  # values beyond this have diverged


@dataclass(frozen=True)
class Descent:
    """The start and the settings of a descent."""

    start: float
    steps: int
    lr: float
    dtype: str = "float32"

    def called(self) -> str:
        """The call, as code."""
        dtype = "" if self.dtype == "float32" else f", {self.dtype}"
        return f"descend(w, steps={self.steps}, lr={self.lr}), w = {self.start}{dtype}"


SHOWN = (Descent(1.0, 1, 0.1), Descent(1.0, 2, 0.1), Descent(-3.0, 5, 0.05),
         Descent(2.0, 0, 0.1), Descent(4.0, 3, 0.1))  # fmt: skip


def grade_descend(answer: Any) -> None:
    """Run the answer from each start, and check w afterwards.

    Raises:
        CheckFailed: w is elsewhere, is not a leaf any more, or keeps a gradient.
    """
    answer = need_function(answer, "descend")
    seen: list[tuple[Descent, float]] = []
    failed: CheckFailed | None = None
    slopes: list[Any] = []  # the gradients that autograd sent to w
    for case in _cases():
        start = np.array(case.start, np.dtype(case.dtype))
        w = tensor(start, requires_grad=True)
        w.register_hook(slopes.append)
        filled: list[Any] = []  # w, each time that backward has added to w.grad
        w.register_post_accumulate_grad_hook(filled.append)
        try:
            call_limited(
                answer, w, case.steps, case.lr, called=case.called(), rule=STEP_RULE
            )
        except CheckFailed as failure:
            if failed:  # its message says more
                still = seen[0][1] == seen[0][0].start
                cause = REBOUND if still else _cause(failure.what)
                failed.mistake = failed.mistake or cause
                break
            cause = _cause(failure.what)
            if cause == NO_SLOPE and case.steps == 1 and filled and w.grad is None:
                cause = EARLY  # later steps may see a new w, which has no gradient
            failure.mistake = failure.mistake or cause
            raise
        seen.append((case, float(w.detach())))
        failed = failed or _difference(case, w)
    if failed:
        failed.mistake = _find_mistake(seen) or failed.mistake
        raise failed
    if not slopes:
        raise CheckFailed(
            "the values are right, but the slope does not come from autograd",
            called=SHOWN[0].called(),
            expected="a call of backward",
            rule="loss.backward() puts the slope into w.grad",
        )


def _cases() -> Iterator[Descent]:
    yield from SHOWN
    for draw in draws(6, ("float64", "float32")):
        yield _drawn(draw)


def _drawn(draw: Draw) -> Descent:
    lr = draw.number(0.01, 0.2)
    return Descent(draw.number(-6.0, 3.0), draw.size(2, 7), lr, draw.dtype)


def _difference(case: Descent, w: Any) -> CheckFailed | None:
    """What is wrong with w after the call."""
    called = case.called()
    try:
        compare(
            w,
            _descended(case),
            rule=STEP_RULE,
            called=f"{called}; then w",
            tolerance=1e-4,
        )
    except CheckFailed as failure:
        return failure
    if not (w.requires_grad and w.is_leaf):
        return CheckFailed(
            "w is no longer a leaf that requires gradients",
            called=called,
            got=f"requires_grad={w.requires_grad}, is_leaf={w.is_leaf}",
            expected="requires_grad=True, is_leaf=True",
            rule=LEAF_RULE,
            mistake=""
            if w.requires_grad
            else "requires_grad = False stays: no_grad() ends with its block",
        )
    if w.grad is not None and float(w.grad) != 0.0:
        return CheckFailed(
            "w is right, but a gradient is left behind",
            called=called,
            got=f"w.grad = {show(w.grad)}",
            expected="None",
            rule="the next backward would add to it",
            mistake="set w.grad to None after the last step, too",
        )
    return None


def _cause(what: str) -> str:
    """The cause of an exception."""
    for piece, mistake in _RAISED:
        if piece in what:
            return mistake
    return ""


_RAISED = (
    ("leaf Variable that requires grad", "update inside `with torch.no_grad():`"),
    ("second time", "compute the loss again in each step: its graph is used up"),
    (
        "does not require grad",
        "the loss has no graph: inside no_grad nothing is recorded; detach cuts it off",
    ),
    ("NoneType", NO_SLOPE),
    ("attribute 'value'", "w is a tensor, not a Node: loss.backward(), then w.grad"),
)


def _descended(
    case: Descent,
    *,
    keep: float = 0.0,
    scale: float = 1.0,
    steps: int | None = None,
    slope: Callable[[float], float] = lambda w: 8 * (w - BOTTOM),
) -> float:
    """The end point of descent; keyword arguments make known mistakes.

    Args:
        case: start, steps and lr.
        keep: how much of the old gradient stays in w.grad.
        scale: a factor of lr.
        steps: the number of steps, if not the case's.
        slope: what is multiplied by lr and subtracted.
    """
    w, grad = case.start, 0.0
    for _ in range(case.steps if steps is None else steps):
        grad = keep * grad + slope(w)
        w -= case.lr * scale * grad
        if not abs(w) < FAR:
            return math.inf
    return w


_MISTAKES: dict[str, Callable[[Descent], float]] = {
    "w itself never moved: change it in place, while w.grad is there": lambda case: (
        case.start
    ),
    "w.grad was not reset: gradients add up over the steps": lambda case: _descended(
        case, keep=1.0
    ),
    "the step goes uphill: subtract": lambda case: _descended(case, scale=-1.0),
    "only one step was taken: does something end the loop early?": lambda case: (
        _descended(case, steps=min(case.steps, 1))
    ),
    "it is one step, whatever `steps` is": lambda case: _descended(case, steps=1),
    "always 5 steps, as in path_of: take so many as `steps` says": lambda case: (
        _descended(case, steps=5)
    ),
    "one step too few": lambda case: _descended(case, steps=max(case.steps - 1, 0)),
    "one step too many": lambda case: _descended(case, steps=case.steps + 1),
    "lr was ignored": lambda case: _descended(case, scale=1 / case.lr),
    "the slope of (2w - 8)² is 2 · (2w - 8) · 2: the inner 2 is missing": lambda case: (
        _descended(case, slope=lambda w: 4 * (w - BOTTOM))
    ),
    "that is the slope of 2w - 8: the square is missing": lambda case: _descended(
        case, slope=lambda _w: 2.0
    ),
    "subtract the slope, not the loss": lambda case: _descended(
        case, slope=lambda w: (2 * w - 8) ** 2
    ),
    "every step uses the slope of the start": lambda case: _descended(
        case, slope=lambda _w: 8 * (case.start - BOTTOM)
    ),
    "w is at the bottom whatever `steps` is: take so many steps": lambda _case: BOTTOM,
    "this divides by lr: multiply": lambda case: _descended(case, scale=1 / case.lr**2),
    "the slope is divided by the number of steps": lambda case: _descended(
        case, scale=1 / max(case.steps, 1)
    ),
    "lr is what the caller says, not always 0.1": lambda case: _descended(
        case, scale=0.1 / case.lr
    ),
    "the brackets belong around 2w - 8: the whole is squared": lambda case: _descended(
        case, slope=lambda w: 4 * w
    ),
    "lr counts twice": lambda case: _descended(case, scale=case.lr),
    "the slope counts twice": lambda case: _descended(case, scale=2.0),
}


def _find_mistake(seen: Sequence[tuple[Descent, float]]) -> str:
    """The only mistake that explains every end point."""
    found = []
    for words, made in _MISTAKES.items():
        telling = 0
        for case, got in seen:
            would = made(case)
            if not _near(got, would):
                break
            telling += not math.isclose(would, _descended(case), rel_tol=1e-3)
        else:
            if telling >= 2:
                found.append(words)
    return found[0] if len(found) == 1 else ""


def _near(a: float, b: float) -> bool:
    """Whether two numbers agree; diverged ones are not compared, due to rounding."""
    away = not (abs(a) < FAR and abs(b) < FAR)
    return away or math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-4)
