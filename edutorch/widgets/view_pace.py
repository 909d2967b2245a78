"""The message of a view about training steps that it has not watched."""

from __future__ import annotations

from typing import Any

from .. import events
from ..inspect import Recorder
from ..inspect.step_pace import pace, pace_words

__all__ = ["ViewPace", "with_pace"]


class ViewPace:
    """A view's part in the pace of all; see `edutorch/inspect/step_pace.py`.

    Args:
        recorder: of the view; once it is open, `rest(True)` lets it rest.

    Attributes:
        over: the view has ended, so its words tell of all steps.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._first = events.step
        self._missed = 0  # steps, until it has left the others
        self._since: int | None = None  # what all had missed when it joined them
        self.over = False

    def words(self) -> str:
        """How many steps are watched, "" where it is all of them."""
        steps, missed = events.step - self._first, self._missed
        every, latest = 1, events.step - 1
        if self._since is not None:
            missed += pace.missed - self._since
            every, latest = 1 if self.over else pace.every, pace.latest
        return pace_words(every, steps - missed, steps, latest - self._first)

    def rest(self, on: bool) -> None:
        """Rest with the others, or hear of every step."""
        recorder = self._recorder
        may = recorder.rests and recorder.subscription is not None
        if on and self._since is None and may:
            pace.join(self._recorder)
            self._since = pace.missed
        elif not on and self._since is not None:
            pace.leave(self._recorder)
            self._missed += pace.missed - self._since
            self._since = None

    def settle(self) -> None:
        """Bring to date what can be known without having watched."""
        if self._since is not None:
            pace.settle()

    def end(self) -> None:
        """The view ends."""
        self.rest(False)


def with_pace(text: str, data: dict[str, Any]) -> str:
    """A view's text, with a second line where steps were not watched.

    Example:
        >>> print(with_pace("Graph", {"pace": "watching 1 of 4 steps"}))
        Graph
          watching 1 of 4 steps
    """
    words = data.get("pace")
    head, line, rest = text.partition("\n")
    return f"{head}\n  {words}{line}{rest}" if words else text
