"""Selects the training steps whose values are summarised, to bound the cost."""

from __future__ import annotations

import math

__all__ = ["ValueSampler"]

WARM_UP = 4  # steps to wait after the first, whose time is not typical
RECENT = 16  # graph shapes that count as known
GROWTH = 4  # limits the increase of the wait by one step, which may have paused
FREE = 0.5  # seconds of summarised steps, so that a short training has its last values


class ValueSampler:
    """Selects the steps whose values are summarised, within a share of the time.

    The first step is always chosen, and so are those after it until they have taken
    `FREE`, and the step after one whose graph had a shape not seen lately. Otherwise
    every k-th: with `extra` the time a chosen step takes longer than an ordinary one,

        k = extra / (budget * ordinary)

    Args:
        budget: share of the time that sampling may cost.
        longest: the largest k.

    Example:
        >>> sampler = ValueSampler(budget=0.02)
        >>> [sampler.step_ended(1.0) for _ in range(7)]
        [True, False, False, False, False, True, False]
    """

    def __init__(self, budget: float = 0.02, longest: int = 1000) -> None:
        self.budget = budget
        self.longest = longest
        self.every = WARM_UP
        self._sampled = True  # the current step
        self._waited = 0
        self._samples = 0
        self._free = FREE
        self._ordinary = 0.0  # moving average, seconds
        self._known: list[int] = []

    @property
    def sampled(self) -> bool:
        """Whether the current step is selected."""
        return self._sampled

    def cell_began(self) -> None:
        """A notebook cell begins, perhaps with a short training of its own."""
        self._free = FREE

    def step_ended(self, seconds: float, shape: int = 0) -> bool:
        """Record a step's time and graph shape; return whether to select the next."""
        if self._sampled:
            self._after_sample(seconds)
        else:
            self._after_ordinary(seconds)
        self._waited += 1
        new = self._is_new(shape)
        self._sampled = new or self._waited > self.every or self._free > 0
        return self._sampled

    def _after_sample(self, seconds: float) -> None:
        self._samples += 1
        self._waited = 0
        self._free -= seconds if self._samples > 1 else 0  # the first takes long
        if self._samples > 1 and self._ordinary:
            extra = max(0.0, seconds - self._ordinary)
            steps = math.ceil(extra / (self.budget * self._ordinary))
            self.every = min(max(steps, 1), GROWTH * self.every, self.longest)

    def _after_ordinary(self, seconds: float) -> None:
        before = self._ordinary or seconds
        # a single slow step (a pause, a page fault) must not weigh much
        self._ordinary = 0.8 * before + 0.2 * min(seconds, 3 * before)

    def _is_new(self, shape: int) -> bool:
        if shape in self._known:
            return False
        first = not self._known
        self._known = [*self._known[1 - RECENT :], shape]
        return not first
