"""Chapter 2: a loss whose target must not receive a gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from edutorch.course.compare import compare, need_function, numbers_of, show
from edutorch.course.failure import CheckFailed
from edutorch.course.lint import lint
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import tensor

from .optimizer_steps import call_limited

__all__ = ["grade_td_loss"]

RULE = "(v - (r + 0.9 · v_next))²"
GRAD_RULE = "∂L/∂v = 2 (v - target), where the target is a constant"
GAMMA: Final = 0.9
MISSING: Final = "missing detach"


@dataclass(frozen=True)
class Guess:
    """Values of v, r and v_next.

    Attributes:
        shared: v and v_next are products of one leaf u = 1 with their values.
    """

    value: float
    reward: float
    following: float
    shared: bool = False
    dtype: str = "float32"

    def called(self) -> str:
        """The call, as code."""
        made = "; v and v_next are computed from one leaf u" if self.shared else ""
        given = f"v={self.value}, r={self.reward}, v_next={self.following}"
        return f"td_loss({given}){made}"

    def tensors(self) -> tuple[Any, Any, Any]:
        """Tensors v, v_next and u; u is None if they are leaves themselves."""
        if not self.shared:
            return self._leaf(self.value), self._leaf(self.following), None
        u = self._leaf(1.0)
        return u * self.value, u * self.following, u

    def _leaf(self, value: float) -> Any:
        return tensor(np.array(value, np.dtype(self.dtype)), requires_grad=True)

    @property
    def error(self) -> float:
        """The difference between v and the target."""
        return self.value - (self.reward + GAMMA * self.following)


SHOWN = (
    Guess(1.0, 0.5, 2.0), Guess(-2.0, 3.0, 0.5), Guess(0.0, 0.0, 0.0),
    Guess(2.0, 1.0, 3.0, shared=True),
)  # fmt: skip


def grade_td_loss(answer: Any) -> None:
    """Compute the loss of each guess and check the gradients.

    Raises:
        CheckFailed: the loss is not right, or a gradient.
    """
    answer = need_function(answer, "td_loss")
    cases = list(_cases())
    for case in cases:
        v, v_next, u = case.tensors()
        loss = _loss_of(answer, case, v, v_next)
        try:
            compare(loss, case.error**2, rule=RULE, called=case.called())
        except CheckFailed as failure:
            seen = [(c, _loss_or_nan(answer, c)) for c in cases]
            failure.mistake = _find_mistake(seen) or failure.mistake
            raise
        _send_back(loss, case.called())
        try:
            if u is None:
                _check_leaves(v, v_next, case)
            else:
                _check_shared(u, case)
        except CheckFailed as failure:
            if failure.mistake.startswith(MISSING):
                failure.mistake = _unkept_detach(answer) or failure.mistake
            raise


def _unkept_detach(answer: Callable[..., Any]) -> str:
    """The line that calls detach and throws its result away; "" if there is none."""
    said = lint(answer)
    return said if ".detach()` returns a new tensor" in said else ""


def _cases() -> Iterator[Guess]:
    yield from SHOWN
    for i, draw in enumerate(draws(6, ("float64", "float32"))):
        yield _drawn(draw, shared=i % 3 == 2)


def _drawn(draw: Draw, shared: bool) -> Guess:
    numbers = [draw.number(-4.0, 4.0) for _ in range(3)]
    return Guess(numbers[0], numbers[1], numbers[2], shared, draw.dtype)


def _loss_of(answer: Callable[..., Any], case: Guess, v: Any, v_next: Any) -> Any:
    """The answer's result; v and v_next must be unchanged."""
    called = case.called()
    try:
        loss = call_limited(answer, v, case.reward, v_next, called=called, rule=RULE)
    except CheckFailed as failure:
        if "'detach'" in failure.what:
            failure.mistake = "r is a plain number: detach v_next"
        elif "requires_grad flags" in failure.what:
            failure.mistake = "v_next stays as it is: detach() makes a new tensor"
        raise
    for name, t, value in (("v", v, case.value), ("v_next", v_next, case.following)):
        kept = t.requires_grad and t.is_leaf is not case.shared
        if not kept or not math.isclose(float(t.detach()), value, rel_tol=1e-6):
            raise CheckFailed(
                f"{name} itself was changed",
                called=called,
                got=f"{name} = {show(t)}, requires_grad={t.requires_grad}",
                expected=f"still {value:g}, requires_grad=True",
                rule="detach() makes a new tensor; detach_() changes this one",
                mistake=""
                if t.requires_grad
                else "requires_grad_(False) and detach_() act in place: use detach()",
            )
        if t.is_leaf and t.grad is not None:
            raise CheckFailed(
                f"{name} has a gradient before loss.backward()",
                called=called,
                got=f"{name}.grad = {show(t.grad)}",
                expected="None",
                rule="td_loss returns the loss; the caller calls backward",
                mistake="backward is called once too often: leave it to the caller",
            )
    return loss


def _send_back(loss: Any, called: str) -> None:
    if not getattr(loss, "requires_grad", False):
        raise CheckFailed(
            "the loss has no history",
            called=called,
            got=f"{show(loss)}, requires_grad=False",
            expected="requires_grad=True",
            rule="a gradient must flow from the loss to v",
            mistake="too much was cut off: only the target is a constant",
        )
    loss.backward()


def _check_leaves(v: Any, v_next: Any, case: Guess) -> None:
    """Check the gradients of v and v_next, which are leaves."""
    called, right = case.called(), 2 * case.error
    if v.grad is None:
        raise CheckFailed(
            "v got no gradient",
            called=called,
            expected=f"v.grad = {right:.4g}",
            rule="detach the target alone; v stays in the graph",
            mistake="too much was detached, or the wrong one",
        )
    if v_next.grad is not None and case.error != 0:
        raise CheckFailed(
            "the target got a gradient",
            called=called,
            got=f"v_next.grad = {float(v_next.grad):.4g}",
            expected="none",
            rule="the target is a constant: no gradient flows to v_next",
            mistake=MISSING,
        )
    compare(
        v.grad,
        right,
        rule=GRAD_RULE,
        called=f"{called}; then v.grad",
        wrong={
            "half of it: (v - target) is used twice, and one of the two was cut off": (
                case.error
            )
        },
    )


def _check_shared(u: Any, case: Guess) -> None:
    """Check the gradient of u, which must come through v only."""
    right = 2 * case.error * case.value
    compare(
        0.0 if u.grad is None else u.grad,
        right,
        rule=GRAD_RULE,
        called=f"{case.called()}; then u.grad",
        wrong={
            f"{MISSING}: a part of it came through v_next": (
                2 * case.error * (case.value - GAMMA * case.following)
            )
        },
    )


def _loss_or_nan(answer: Callable[..., Any], case: Guess) -> float:
    """The loss as a number, or nan."""
    v, v_next, _ = case.tensors()
    try:
        loss = numbers_of(answer(v, case.reward, v_next))
    except Exception:  # noqa: BLE001  # it is reported elsewhere
        return math.nan
    return float(loss) if loss is not None and loss.shape == () else math.nan


def _huber(error: float) -> float:
    return abs(error) - 0.5 if abs(error) > 1 else error**2 / 2


_MISTAKES: dict[str, Callable[[float, float, float], float]] = {
    "forgot the square": lambda v, r, n: v - (r + GAMMA * n),
    "the square, not the absolute value": lambda v, r, n: abs(v - (r + GAMMA * n)),
    "v_next was not discounted by 0.9": lambda v, r, n: (v - r - n) ** 2,
    "only v_next is discounted, r is not": lambda v, r, n: (v - GAMMA * (r + n)) ** 2,
    "0.9 belongs to v_next, not to r": lambda v, r, n: (v - GAMMA * r - n) ** 2,
    "0.9 multiplies v_next; it is not added": lambda v, r, n: (v - r - 0.9 - n) ** 2,
    "brackets are missing: the whole target is subtracted": lambda v, r, n: (
        (v - r + GAMMA * n) ** 2
    ),
    "r belongs to the target, with a plus": lambda v, r, n: (v + r - GAMMA * n) ** 2,
    "the target is subtracted, not added": lambda v, r, n: (v + r + GAMMA * n) ** 2,
    "r is missing": lambda v, _r, n: (v - GAMMA * n) ** 2,
    "v_next is missing": lambda v, r, _n: (v - r) ** 2,
    "there is no 1/2 in this loss": lambda v, r, n: (v - r - GAMMA * n) ** 2 / 2,
    "r is added, not multiplied": lambda v, r, n: (v - r * GAMMA * n) ** 2,
    "v and v_next are swapped": lambda v, r, n: (n - r - GAMMA * v) ** 2,
    "the square, however large the difference: no smooth or Huber loss": (
        lambda v, r, n: _huber(v - r - GAMMA * n)
    ),
    "0.9, not another number": lambda v, r, n: (v - r - 0.99 * n) ** 2,
    "that is the gradient, not the loss": lambda v, r, n: 2 * (v - (r + GAMMA * n)),
    "that is the target, not the loss": lambda _v, r, n: r + GAMMA * n,
    "the difference is squared, not its parts": lambda v, r, n: (
        v**2 - (r + GAMMA * n) ** 2
    ),
}


def _find_mistake(seen: Sequence[tuple[Guess, float]]) -> str:
    """The only mistake that explains every loss."""
    found = []
    for words, made in _MISTAKES.items():
        telling = 0
        for case, got in seen:
            would = made(case.value, case.reward, case.following)
            if not math.isclose(got, would, rel_tol=1e-4, abs_tol=1e-5):
                break
            telling += not math.isclose(would, case.error**2, rel_tol=1e-4)
        else:
            if telling >= 2:
                found.append(words)
    return found[0] if len(found) == 1 else ""
