"""Line search: a step along a direction that satisfies the strong Wolfe conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..tensor.tensor import Tensor

__all__ = ["Point", "strong_wolfe"]

ENOUGH = 1e-4  # the least decrease, as a share of what the slope predicts (c1)
FLAT = 0.9  # the largest slope, as a share of the first one (c2)


class Point(NamedTuple):
    """The function's value and slope after a step of length `t`."""

    t: Any
    loss: Any
    gradient: Tensor
    slope: Any  # along the direction


def cubic_minimum(a: Point, b: Point, low: Any, high: Any) -> Any:
    """The minimum, within bounds, of the cubic through two points with given slopes."""
    slope = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = slope**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    root = square.sqrt()
    if a.t <= b.t:
        share = (b.slope + root - slope) / (b.slope - a.slope + 2 * root)
        t = b.t - (b.t - a.t) * share
    else:
        share = (a.slope + root - slope) / (a.slope - b.slope + 2 * root)
        t = a.t - (a.t - b.t) * share
    return min(max(t, low), high)


def strong_wolfe(
    evaluate: Callable[[Any], Point],
    start: Point,
    t: Any,
    d: Tensor,
    tolerance_change: float = 1e-9,
    max_iterations: int = 25,
) -> tuple[Point, int]:
    """The point of a good step, and how often the function was evaluated.

    Math: f(t) ≤ f(0) + c1 t f'(0)      |f'(t)| ≤ c2 |f'(0)|
    Reference: Nocedal and Wright, 2006, algorithms 3.5 and 3.6.

    Args:
        evaluate: the point of a step length.
        start: the point of step 0.
        t: the first step length to try.
        d: the direction.
        tolerance_change: bracket and direction may be this small.
        max_iterations: the number of trials after which the best step is taken.
    """
    bracket, trials = _bracket(evaluate, start, t, max_iterations)
    evaluations, done = trials + 1, len(bracket) == 1
    size = d.abs().max()
    stuck = False
    low = 0 if bracket[0].loss <= bracket[-1].loss else 1
    while not done and trials < max_iterations:
        a, b = bracket
        if abs(b.t - a.t) * size < tolerance_change:
            break
        least, most = min(a.t, b.t), max(a.t, b.t)
        t, stuck = _away_from_ends(cubic_minimum(a, b, least, most), least, most, stuck)
        point = evaluate(t)
        evaluations += 1
        trials += 1
        if _insufficient_decrease(point, start) or point.loss >= bracket[low].loss:
            bracket[1 - low] = point
            low = 0 if bracket[0].loss <= bracket[1].loss else 1
        else:
            done = abs(point.slope) <= -FLAT * start.slope
            if not done and point.slope * (bracket[1 - low].t - bracket[low].t) >= 0:
                bracket[1 - low] = bracket[low]
            bracket[low] = point
    return bracket[low], evaluations


def _insufficient_decrease(point: Point, start: Point) -> bool:
    """Whether the sufficient decrease (Armijo) condition fails."""
    return bool(point.loss > start.loss + ENOUGH * point.t * start.slope)


def _bracket(
    evaluate: Callable[[Any], Point], start: Point, t: Any, max_iterations: int
) -> tuple[list[Point], int]:
    """Two steps with an acceptable one between them, or one that is acceptable."""
    before, point, trial = start, evaluate(t), 0
    while trial < max_iterations:
        if _insufficient_decrease(point, start) or (
            trial > 1 and point.loss >= before.loss
        ):
            return [before, point], trial
        if abs(point.slope) <= -FLAT * start.slope:
            return [point], trial
        if point.slope >= 0:
            return [before, point], trial
        least = point.t + 0.01 * (point.t - before.t)
        t = cubic_minimum(before, point, least, point.t * 10)
        before, point, trial = point, evaluate(t), trial + 1
    return [start, point], max_iterations


def _away_from_ends(t: Any, least: Any, most: Any, stuck: bool) -> tuple[Any, bool]:
    """A step, moved away from the ends of its bracket if it makes no progress."""
    margin = 0.1 * (most - least)
    if min(most - t, t - least) >= margin:
        return t, False
    if not (stuck or t >= most or t <= least):
        return t, True
    return (most - margin if abs(t - most) < abs(t - least) else least + margin), False
