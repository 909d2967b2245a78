"""Converts records to bars on each thread, with start, end and nesting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final

from .. import events
from .event_fields import (
    BWD_NAME,
    BWD_NODE,
    BWD_TARGET,
    DURATION,
    KIND,
    MARK_CONTROL,
    MARK_NAME,
    MARK_WHAT,
    MOD_CALL,
    MOD_CLS,
    MOD_MODEL,
    MOD_PATH,
    MOD_WHAT,
    OP_DEVICE,
    OP_ERROR,
    OP_NAME,
    OP_NODE,
    OP_SRC,
    OP_VIEW,
    SPAN_NAME,
    SPAN_WHAT,
    START,
    STEP,
    THREAD,
)
from .model_names import ModelNames
from .pausable_clock import PAUSES, SKIP_MARK

__all__ = ["KINDS", "Bar", "Bars"]

# step: what one training step did on its thread; node: the backward of an op, or a leaf
# that takes its gradient; range: a block that the program named (`record_function`)
KINDS: Final = (
    "step", "module", "op", "node", "range", "backward", "optim", "data",
)  # fmt: skip
SPANS: Final = ("backward", "optim", "data")
STEP_BAR, MODULE, OP, NODE, RANGE = range(5)
# PyTorch's names of nodes that compute a product or a loss here, of more dimensions
VIEWS: Final = ("ViewBackward0", "UnsafeViewBackward0")
SHORTEST: Final = 500_000_000  # nanoseconds; shorter pauses are not marked


class Bar:
    """An interval of time on one thread.

    Attributes:
        kind: an index of `KINDS`.
        start, end: nanoseconds of the records' clock, without pauses.
        key: the graph node of an op or a node; the model and path of a module, and of
            a leaf those of its module and the leaf's name.
        own: the name without the path and the model.
        open: it has not finished yet.
        view: an op whose result shares the memory of an operand.
        link: of a node, the bar of its op; of a leaf, that of its module.
    """

    __slots__ = (
        "device", "end", "key", "kind", "line", "link", "name", "open", "own", "parent",
        "place", "start", "step", "thread", "view",
    )  # fmt: skip

    def __init__(
        self, kind: int, name: str, start: int, end: int, thread: int, step: int
    ) -> None:
        self.kind, self.name, self.start, self.end = kind, name, start, end
        self.own = name
        self.thread, self.step = thread, step
        self.key: Any = 0
        self.line = -1
        self.device = ""
        self.open = self.view = False
        self.parent: Bar | None = None
        self.link: Bar | None = None
        self.place = 0


class Bars:
    """The bars of records, which are added in order of arrival.

    Args:
        first_step: the number of the step that is called step 0.

    Example:
        >>> bars = Bars()
        >>> bars.add([("mark", 1, 100, 0, 7, 0, "mine", "begin", ""),
        ...           ("mark", 2, 400, 0, 7, 0, "mine", "end", "")])
        >>> [(bar.name, bar.end - bar.start) for bar in bars.nested()]
        [('step 0', 300), ('mine', 300)]
    """

    def __init__(self, first_step: int = 0) -> None:
        self.first_step = first_step
        self.found: list[Bar] = []
        self.pauses: list[tuple[int, int]] = []
        self._paused = 0  # when the current pause began
        self._cuts: list[tuple[int, int]] = []  # end, and total length until then
        self._latest: dict[int, int] = {}  # the end of each thread's latest event
        self._calls: dict[int, Bar] = {}  # module calls that have not ended
        self._blocks: dict[tuple[int, str], list[Bar]] = {}
        self._models = ModelNames()
        self._began: dict[int, int] = {}  # the start of each thread's current step
        self._steps = 0  # the number of the current step
        self._stepping = 0  # the thread of the training steps
        self._handlers: dict[str, Callable[[tuple[Any, ...]], None]] = {
            "op": self._op, "bwd": self._node, "mod": self._module,
            "mark": self._mark, "span": self._span,
        }  # fmt: skip

    def add(self, records: Iterable[tuple[Any, ...]]) -> None:
        """Add records."""
        handlers = self._handlers
        for record in records:
            handle = handlers.get(record[KIND])
            if handle is not None:
                handle(record)

    # ---- one record

    def _bar(
        self, kind: int, name: str, record: tuple[Any, ...], duration: int = 0
    ) -> Bar:
        start, thread = self._time(record[START]), record[THREAD]
        end = max(start, self._time(record[START] + duration))
        bar = Bar(kind, name, start, end, thread, record[STEP])
        self.found.append(bar)
        self._touch(thread, start, end, record[STEP])
        return bar

    def _time(self, ns: int) -> int:
        """A time on the clock that excludes pauses."""
        for ended, cut in reversed(self._cuts):
            if ns >= ended:
                return ns - cut
        return ns

    def _touch(self, thread: int, start: int, end: int, step: int) -> None:
        """Record the time of the latest event on a thread."""
        self._latest[thread] = max(end, self._latest.get(thread, end))
        began = self._began.get(thread)
        self._began[thread] = start if began is None else min(began, start)
        self._steps = step
        self._stepping = self._stepping or thread

    def _op(self, record: tuple[Any, ...]) -> None:
        failed = " (failed)" if record[OP_ERROR] else ""
        bar = self._bar(OP, record[OP_NAME] + failed, record, record[DURATION])
        bar.key, bar.line, bar.device = (
            record[OP_NODE], record[OP_SRC], record[OP_DEVICE],
        )  # fmt: skip
        bar.view = bool(record[OP_VIEW])

    def _node(self, record: tuple[Any, ...]) -> None:
        bar = self._bar(NODE, record[BWD_NAME], record, record[DURATION])
        bar.key = record[BWD_NODE]
        target = record[BWD_TARGET]
        name = events.names.get(target) if target else None
        if name is not None:
            model = events.homes.get(target, 0)
            bar.key = model, name.rpartition(".")[0], name
            self._models.note_parameters(model)

    def _module(self, record: tuple[Any, ...]) -> None:
        call = record[MOD_CALL]
        if record[MOD_WHAT] == "enter":
            bar = self._bar(MODULE, record[MOD_CLS], record)
            bar.key, bar.open = (record[MOD_MODEL], record[MOD_PATH]), True
            self._calls[call] = bar
            self._models.hear(record)
        elif call in self._calls:
            self._finish(self._calls.pop(call), record)

    def _name_of(self, bar: Bar) -> str:
        """The name of a module's bar, or of that of a leaf that takes its gradient."""
        model, path, *leaf = bar.key
        if leaf:
            return f"{bar.own} of {self._models.path(model, leaf[0])}"
        if not path:
            return self._models.path(model, "") or bar.own
        if path == bar.own:  # it is called, but is no part of the model
            return path
        return f"{self._models.path(model, path)}: {bar.own}"

    def _span(self, record: tuple[Any, ...]) -> None:
        if record[SPAN_WHAT] not in SPANS:  # for profiles, which count as PyTorch does
            return
        kind = KINDS.index(record[SPAN_WHAT])
        name = str(record[SPAN_NAME]).rpartition("#")[2]
        name = "next batch" if record[SPAN_WHAT] == "data" else name
        self._bar(kind, name, record, record[DURATION])

    def _mark(self, record: tuple[Any, ...]) -> None:
        name, what = str(record[MARK_NAME]), record[MARK_WHAT]
        control = record[MARK_CONTROL]
        if control in PAUSES:
            self._pause(what, record[START], noted=control != SKIP_MARK)
        elif control == "step":
            self._step(what, record)
        elif what == "begin":
            bar = self._bar(RANGE, name, record)
            bar.open = True
            self._blocks.setdefault((bar.thread, name), []).append(bar)
        elif what == "end":
            begun = self._blocks.get((record[THREAD], name))
            if begun:
                self._finish(begun.pop(), record)

    def _finish(self, bar: Bar, record: tuple[Any, ...]) -> None:
        # What begins during a pause may end, on this clock, before it began.
        bar.end, bar.open = max(bar.start, self._time(record[START])), False
        self._touch(bar.thread, bar.end, bar.end, record[STEP])
        if bar.start < self._began[bar.thread]:  # it continued after the end of a step
            self._began[bar.thread] = bar.end

    def _step(self, what: str, record: tuple[Any, ...]) -> None:
        """Add a bar for a step, from the end of the previous step."""
        if what != "end":
            return
        thread, end = record[THREAD], self._time(record[START])
        self._stepping = thread
        start = max(self._began.get(thread, end), *self._around(thread), 0)
        if end > start:
            self._step_bar(record[STEP], start, end, thread)
        self._began[thread], self._latest[thread] = end, end

    def _around(self, thread: int) -> list[int]:
        """The starts of the blocks and calls that the thread is inside of."""
        blocks = [bar for begun in self._blocks.values() for bar in begun]
        inside = [*blocks, *self._calls.values()]
        return [bar.start for bar in inside if bar.thread == thread]

    def _step_bar(self, step: int, start: int, end: int, thread: int) -> Bar:
        number = step - self.first_step
        bar = Bar(STEP_BAR, f"step {number}", start, end, thread, step)
        self.found.append(bar)
        return bar

    def _pause(self, what: str, now: int, noted: bool) -> None:
        """Exclude a pause; record a long one if `noted`."""
        if what == "begin":
            self._paused = now
            return
        begun, self._paused = self._paused, 0
        if not begun or now <= begun:
            return
        at, thread = self._time(begun), self._stepping
        if self._latest.get(thread) == self._began.get(thread) and self._latest:
            self._began[thread] = at  # the next step has not begun
            self._latest[thread] = at
        if noted and now - begun >= SHORTEST and self._latest:
            self.pauses.append((at, now - begun))
        self._cuts.append((now, now - at))

    # ---- the whole

    def nested(self) -> list[Bar]:
        """All bars sorted by thread, each after its enclosing bar."""
        bars = [*self.found, *self._unfinished()]
        for bar in bars:
            if type(bar.key) is tuple:
                bar.name = self._name_of(bar)
            if bar.open:
                bar.end = max(bar.start, self._latest[bar.thread])
        order = {thread: i for i, thread in enumerate(self._latest)}
        bars.sort(key=attrgetter("kind"))  # of equal times, the wider kind first
        bars.sort(key=lambda bar: (order[bar.thread], bar.start, -bar.end))
        _nest(bars)
        _link(bars)
        return bars

    def _unfinished(self) -> list[Bar]:
        """A bar for the step that has not ended, on the thread that steps."""
        thread = self._stepping
        if thread not in self._latest:
            return []
        start, end = self._began[thread], self._latest[thread]
        if end <= start:
            return []
        bar = self._step_bar(self._steps, start, end, thread)
        self.found.pop()
        bar.open = True
        return [bar]


def _nest(bars: list[Bar]) -> None:
    """Set the enclosing bar of each bar, and clip bars to it."""
    around: list[Bar] = []
    for place, bar in enumerate(bars):
        bar.place = place
        if around and around[0].thread != bar.thread:
            around.clear()
        while around and around[-1].end <= bar.start < bar.end:
            around.pop()
        while around and around[-1].end < bar.start:
            around.pop()
        bar.parent = around[-1] if around else None
        if bar.parent is not None:
            bar.end = min(bar.end, bar.parent.end)
        around.append(bar)


def _link(bars: list[Bar]) -> None:
    """Link each node to its op, and each leaf to its module's preceding call."""
    ops: dict[int, Bar] = {b.key: b for b in bars if b.kind == OP and b.key}
    calls: dict[tuple[int, str], Bar] = {}
    for bar in sorted(bars, key=attrgetter("start")):
        if bar.kind == MODULE:
            calls[bar.key] = bar
        elif bar.kind == NODE:
            key = bar.key
            bar.link = calls.get(key[:2]) if type(key) is tuple else ops.get(key)
            op = bar.link
            if bar.name in VIEWS and op is not None and op.kind == OP and not op.view:
                bar.name += f" of {op.name}"
