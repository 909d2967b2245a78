"""Connects a view to the step throttle, with a note on steps not watched."""

from __future__ import annotations

from typing import Any

from .. import events
from ..inspect import Recorder
from ..inspect.step_throttle import PARTLY, throttle, throttle_note

__all__ = ["ViewThrottle", "with_throttle_note"]


class ViewThrottle:
    """Lets one view skip steps; see `edutorch/inspect/step_throttle.py`.

    Args:
        recorder: of the view; call `skip_steps(True)` once it is open.

    Attributes:
        over: the view has ended, so its note covers all steps.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._first = events.step
        self._missed = 0  # steps missed before it left the throttle
        self._since: int | None = None  # the count of missed steps when it joined
        self.over = False

    def note(self) -> str:
        """A note on how many steps are watched; "" if all are."""
        if self._since is not None and throttle.partly:
            return PARTLY
        steps, missed = events.step - self._first, self._missed
        every, latest = 1, events.step - 1
        if self._since is not None:
            missed += throttle.missed - self._since
            every, latest = 1 if self.over else throttle.every, throttle.latest
        return throttle_note(every, steps - missed, steps, latest - self._first)

    def skip_steps(self, on: bool) -> None:
        """Skip steps with the other views, or receive every step."""
        recorder = self._recorder
        may = recorder.can_skip_steps and recorder.subscription is not None
        if on and self._since is None and may:
            throttle.join(self._recorder)
            self._since = throttle.missed
        elif not on and self._since is not None:
            throttle.leave(self._recorder)
            self._missed += throttle.missed - self._since
            self._since = None

    def flush(self) -> None:
        """Count the allocations of the steps not watched so far."""
        if self._since is not None:
            throttle.flush()

    def end(self) -> None:
        """Receive every step again, since the view has ended."""
        self.skip_steps(False)


def with_throttle_note(text: str, data: dict[str, Any]) -> str:
    """A view's text, with a second line if some steps were not watched.

    Example:
        >>> print(with_throttle_note("Graph", {"pace": "watching 1 of 4 steps"}))
        Graph
          watching 1 of 4 steps
    """
    words = data.get("pace")
    head, line, rest = text.partition("\n")
    return f"{head}\n  {words}{line}{rest}" if words else text
