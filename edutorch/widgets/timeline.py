"""Timeline: where does the time go?"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from ..autograd.profiler_trace import trace_json
from ..inspect import TimelineRecorder
from .arguments import check_argument
from .draw_timeline import draw_timeline, timeline_text, timeline_title
from .svg import Picture
from .timeline_totals import Total, totals
from .timeline_trace import trace_spans
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["Timeline"]

_numbers = itertools.count(1)


class Timeline(View):
    """Bars over time: steps, modules, operations and their backward.

    The bars of a thread lie in one lane, nested calls below the calling bar. The gaps
    are Python code outside operations and the creation of new tensors (`randn`); they
    also contain the few microseconds that watching an operation takes. Times are
    nanoseconds of the machine's clock, without pauses between cells.

    `export("x.trace.json")` writes a file for https://ui.perfetto.dev.

    Args:
        steps: how many of the newest training steps are kept.

    Example:
        >>> import edutorch as torch
        >>> with Timeline() as timeline:
        ...     y = torch.ones(3).exp().sum()
        ...     sorted(row.name for row in timeline.totals("op") if row.count)
        ['exp', 'sum']
    """

    kind: ClassVar[str] = "timeline"
    _recorder: TimelineRecorder

    def __init__(self, steps: int = 20) -> None:
        check_argument("Timeline", "steps", steps, int)
        name = f"view.timeline.{next(_numbers)}"
        super().__init__(TimelineRecorder(int(steps), name))

    def totals(self, by: str = "op") -> list[Total]:
        """Total time by "op", "module" or "line", in nanoseconds, longest first.

        Own times add up to the total; backward counts towards the module and the line
        of its operation.

        Raises:
            ValueError: for anything else.
        """
        if by not in ("op", "module", "line"):
            raise ValueError(f'totals() knows "op", "module" and "line"; got {by!r}')
        return totals(self.refresh(), by)

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series()

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        return 200 + 50 * len(self.data["bars"]["kind"])

    def _frozen_status(self) -> str:
        return f"recorded at step {self.data.get('step', 0)}"

    def _writers(self) -> dict[str, Any]:
        return super()._writers() | {".trace.json": self._trace}

    def _trace(self) -> str:
        lanes = dict(enumerate(self.data["lanes"], 1))
        return trace_json(trace_spans(self.data), lanes)

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_timeline(self.data, note)

    def text(self) -> str:
        """Totals by operation, module and line."""
        text = timeline_text(self.refresh())
        return with_throttle_note(text, self.data)

    def _title(self) -> str:
        return timeline_title(self.data)
