"""Stepper: what happens next, and why is this gradient this number?"""

from __future__ import annotations

import itertools
from types import NoneType
from typing import Any, ClassVar

import traitlets

from ..inspect import Recording, StepRecorder
from ..inspect.step_trace import trace_of
from ..inspect.value_encoder import BUDGET
from ..inspect.value_store import LIMIT
from .arguments import check_argument
from .draw_stepper import draw_stepper, stepper_text, stepper_title
from .svg import Picture
from .view import View

__all__ = ["Stepper"]

WHILE_PAUSED = 40_000  # numbers sent with each step of a paused training
_numbers = itertools.count(1)


class Stepper(View):
    """One training step, op by op, forward and backward, with formulas in numbers.

    Records the first training step that each notebook cell runs, and then costs
    nothing; after a pause by `edutorch.widgets.live` it follows the training op by op.
    Stepping runs nothing again: values are copies, which the view releases when it
    closes. Values of at most 64 elements are shown in full.

    Args:
        recording: a recording with values to show; without one, the Stepper records.
        steps: how many training steps to record.
        limit: the bytes of the copies; beyond them, the largest are dropped, and the
            view says so.

    Attributes:
        at: the op or node that is shown, counted from 0.

    Raises:
        ValueError: for a recording without values.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> with Stepper() as stepper:
        ...     y = x * 2
        ...     y.backward()
        ...     print(stepper.text().splitlines()[2].strip())
        y = a · b: 3 · 2 = 6
    """

    kind: ClassVar[str] = "stepper"
    at = traitlets.Int(0).tag(sync=True)
    _recorder: StepRecorder

    def __init__(
        self,
        recording: Recording | None = None,
        steps: int = 1,
        limit: int = LIMIT,
    ) -> None:
        check_argument("Stepper", "recording", recording, Recording, NoneType)
        self._built: tuple[Any, dict[str, Any]] = (None, {})
        self._seen: Any = None  # the revision at the last update
        if recording is not None:
            if recording.steps is None:
                raise ValueError(
                    "Stepper(): expected a recording with values\n"
                    "  Hint: record(values=True) copies them"
                )
            self._init_recorded(trace_of(recording.steps.collector), "recorded")
            return
        name = f"view.stepper.{next(_numbers)}"
        super().__init__(StepRecorder(steps, limit, name))

    def record_next(self) -> None:
        """Record the next training step, which replaces the one shown.

        Raises:
            RuntimeError: if the view is closed or shows a recording.
        """
        if self.frozen:
            raise RuntimeError(
                "record_next(): this view no longer records\n"
                "  Hint: Stepper() makes one that does"
            )
        self._recorder.collector.again()

    def cell_began(self) -> None:
        """Record the first training step of a cell."""
        self._recorder.collector.cell_began()

    def _fetch(self, current: bool) -> dict[str, Any]:
        key = self._revision()
        if self._built[0] != key:
            collector = self._recorder.collector
            budget = WHILE_PAUSED if collector.paused else BUDGET
            self._built = key, trace_of(collector, budget)
        return self._built[1]

    def _update(self) -> int:
        """Show the step once it has ended, or while paused after every op."""
        revision = self._revision()
        current = revision == self._seen or self._recorder.collector.paused
        self._seen = revision
        return super()._update() if current else 0

    def _revision(self) -> Any:
        collector = self._recorder.collector
        return collector.rev, collector.paused, collector.armed

    def _json_size(self) -> int:
        numbers = sum(len(v["cells"]) for v in self.data["values"])
        return 500 * (1 + len(self.data["moments"])) + 8 * numbers

    def _frozen_status(self) -> str:
        return f"recorded at step {self.data.get('step', 0)}"

    def _stop(self, status: str) -> None:
        super()._stop(status)
        if isinstance(self._recorder, StepRecorder):
            self._recorder.clear()

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_stepper(self.data, note)

    def text(self) -> str:
        """Each op and node with its formula in numbers."""
        return stepper_text(self.refresh())

    def _title(self) -> str:
        return stepper_title(self.data)
