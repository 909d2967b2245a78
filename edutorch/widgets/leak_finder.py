"""LeakFinder: why is this tensor, or this graph, still alive?"""

from __future__ import annotations

import itertools
import weakref
from typing import Any, ClassVar

import traitlets

from ..inspect import LeakRecorder
from .arguments import check_argument
from .draw_leaks import draw_leaks
from .leak_text import answer_lines, leak_text, leak_title
from .svg import Picture, printable
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["LeakFinder", "Reason"]

_numbers = itertools.count(1)


class Reason:
    """Why an object is alive; its `repr` is the explanation.

    Attributes:
        data: paths, cause and the line to change, JSON-ready.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def __repr__(self) -> str:
        return "\n  ".join(printable(line) for line in answer_lines(self.data))


class LeakFinder(View):
    """The lines whose tensors and graphs accumulate, and what keeps those alive.

    See `edutorch.inspect.LeakRecorder` for the criterion of growth. After each cell,
    the view explains growing lines: the shortest path of references from a variable,
    IPython's cache, the last exception, a running function or a module, and the line to
    change. Other lines are explained on request, and any object by `why`. The view
    itself holds only weak references.

    Args:
        seconds: the time limit of one search.

    Attributes:
        ask: the line that the page inquires about, and the number of inquiries.

    Example:
        >>> import edutorch as torch
        >>> w, losses = torch.ones(3, requires_grad=True), []
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> with LeakFinder() as finder:
        ...     for _ in range(12):
        ...         loss = (w ** 2).sum()
        ...         loss.backward()
        ...         optimizer.step()
        ...         losses.append(loss)
        ...     print(finder.text().splitlines()[0])
        LeakFinder: the graphs of 1 line stay alive from step to step
    """

    kind: ClassVar[str] = "leaks"
    ask = traitlets.List(traitlets.Int()).tag(sync=True)
    _recorder: LeakRecorder

    def __init__(self, seconds: float = 2.0) -> None:
        check_argument("LeakFinder", "seconds", seconds, float, int)
        super().__init__(LeakRecorder(f"view.leaks.{next(_numbers)}", float(seconds)))
        mine = weakref.ref(self)
        self.observe(lambda change: _answer(mine, change["new"]), "ask")

    def why(self, value: Any, name: str = "") -> Reason:
        """Explain why an object is alive: up to three paths to it, and the cause.

        Args:
            value: the object, or a weak reference to it.
            name: what to call it.

        Raises:
            ValueError: if a weak reference is dead.
        """
        answer = self._recorder.why(value, name)
        with self._lock:
            if self.frozen:
                answers = [answer, *self.data["answers"]]
                self.data = self.data | {"answers": answers[:8]}
        self.tick()
        return Reason(answer)

    def collect(self) -> int:
        """Run Python's garbage collector; return how many surviving bytes it freed."""
        return self._recorder.collect()

    def explain(self, line: int | None = None) -> None:
        """Explain why the tensors of a line are alive; by default of all growing lines.

        Args:
            line: its `id` in `data["lines"]`.
        """
        if not self.frozen:
            self._recorder.explain(None if line is None else [line])
            self.tick()

    def cell_ended(self) -> None:
        """Explain growing lines after a cell has run."""
        self._explain_quietly()
        super().cell_ended()

    def freeze(self, status: str = "") -> None:
        """Explain growing lines, stop watching, and keep showing the result."""
        self._explain_quietly()
        super().freeze(status)

    def _explain_quietly(self) -> None:
        """Explain growing lines; a failure becomes a remark, never an error."""
        try:
            self.explain()
        except Exception as error:  # noqa: BLE001 (a view must never hurt the training)
            self.status = f"the search failed: {type(error).__name__}: {error}"

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.series()

    def _revision(self) -> Any:
        return self._recorder.rev

    def _json_size(self) -> int:
        lines = self.data["lines"]
        points = 14 * len(self.data["steps"]) * (1 + min(6, len(lines)))
        return 500 + 300 * len(lines) + points + 900 * len(self.data["answers"])

    def _frozen_status(self) -> str:
        return f"recorded at step {max(0, self.data.get('step', 0) - 1)}"

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_leaks(self.data, note)

    def text(self) -> str:
        """Lines with their growth, and why their objects are alive."""
        self.explain()
        text = leak_text(self.refresh())
        return with_throttle_note(text, self.data)

    def _title(self) -> str:
        return leak_title(self.data)


def _answer(reference: weakref.ref[LeakFinder], request: list[int]) -> None:
    view = reference()
    if view is not None and request:
        view.explain(request[0])
