"""The results of a profile: events, their averages, and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .profiler_table import build_table, format_time
from .profiler_trace import Span, trace_json

__all__ = [
    "EventList", "FormattedTimesMixin", "FunctionEvent", "FunctionEventAvg", "Interval",
]  # fmt: skip


class Interval:
    """An interval of time in microseconds.

    Example:
        >>> Interval(1.0, 3.5).elapsed_us()
        2.5
    """

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def elapsed_us(self) -> float:
        """The duration."""
        return self.end - self.start


class FormattedTimesMixin:
    """Times as text, and means, for classes with `count` and total times.

    Example:
        >>> FunctionEvent(0, "aten::add", 1, 0.0, 1500.0).cpu_time_total_str
        '1.500ms'
    """

    count: int
    cpu_time_total: float
    self_cpu_time_total: float
    device_time_total: float = 0
    self_device_time_total: float = 0

    @property
    def cpu_time(self) -> float:
        """Mean time of a call."""
        return 0.0 if self.count == 0 else self.cpu_time_total / self.count

    @property
    def device_time(self) -> float:
        """Mean time of a call on the accelerator: nothing is timed there."""
        return 0.0 if self.count == 0 else self.device_time_total / self.count

    cuda_time = device_time

    @property
    def cpu_time_str(self) -> str:
        """Mean time of a call, as text."""
        return format_time(self.cpu_time)

    @property
    def cpu_time_total_str(self) -> str:
        """Time of all calls, as text."""
        return format_time(self.cpu_time_total)

    @property
    def self_cpu_time_total_str(self) -> str:
        """The self time of all calls, as text."""
        return format_time(self.self_cpu_time_total)

    @property
    def device_time_str(self) -> str:
        """Mean time of a call on the accelerator, as text."""
        return format_time(self.device_time)

    @property
    def device_time_total_str(self) -> str:
        """Time of all calls on the accelerator, as text."""
        return format_time(self.device_time_total)

    @property
    def self_device_time_total_str(self) -> str:
        """Time of all calls on the accelerator alone, as text."""
        return format_time(self.self_device_time_total)


class FunctionEvent(FormattedTimesMixin):
    """One call: of an operation, of a node of a backward pass, of a named block.

    Args:
        id: its number.
        name: "aten::" and the operation's name, a node's name, or a block's.
        thread: the number of its thread.
        start_us: when it began.
        end_us: when it ended.
        input_shapes: those of its tensors, if they were recorded.
        stack: the line that called it, if it was recorded.
        cpu_memory_usage: the bytes that its results took.

    Example:
        >>> FunctionEvent(0, "aten::add", 1, 0.0, 2.0).cpu_time_total
        2.0
    """

    def __init__(
        self,
        id: int,
        name: str,
        thread: int,
        start_us: float,
        end_us: float,
        input_shapes: Any = None,
        stack: Any = None,
        scope: int = 0,
        cpu_memory_usage: int = 0,
        sequence_nr: int = -1,
        is_user_annotation: bool = False,
    ) -> None:
        self.id, self.name, self.trace_name, self.thread = id, name, name, thread
        self.time_range = Interval(start_us, end_us)
        self.input_shapes, self.stack = input_shapes, stack
        self.scope, self.sequence_nr, self.fwd_thread = scope, sequence_nr, 0
        self.cpu_memory_usage, self.device_memory_usage = cpu_memory_usage, 0
        self.is_user_annotation = is_user_annotation
        self.is_async = self.is_remote = self.is_legacy = False
        self.count, self.node_id, self.flops = 1, -1, None
        self.overload_name, self.use_device, self.device_index = "", None, 0
        self.kernels: list[Any] = []  # on an accelerator: nothing is timed there
        self.concrete_inputs: list[Any] = []
        self.kwinputs: dict[str, Any] = {}
        self.self_device_memory_usage = 0
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_parent: FunctionEvent | None = None

    def append_cpu_child(self, child: FunctionEvent) -> None:
        """Add a call that was made during this one."""
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent: FunctionEvent) -> None:
        """Set the call during which this one was made."""
        self.cpu_parent = parent

    @property
    def key(self) -> str:
        """The key by which calls are grouped: the name."""
        return self.name

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]  # computed here
        """The duration."""
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]  # computed here
        """The duration without nested calls."""
        inner = sum(child.cpu_time_total for child in self.cpu_children)
        return self.cpu_time_total - inner

    @property
    def self_cpu_memory_usage(self) -> int:
        """The bytes of its results, without those of calls made during it."""
        inner = sum(child.cpu_memory_usage for child in self.cpu_children)
        return self.cpu_memory_usage - inner

    def __repr__(self) -> str:
        return (
            f"<FunctionEvent id={self.id} name={self.name} "
            f"overload_name= device_type=DeviceType.CPU "
            f"node_id={self.node_id} cpu_time={self.cpu_time_str} "
            f"start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={[child.id for child in self.cpu_children]} "
            f"None_time=0.000us name={self.name} thread={self.thread} "
            f"input_shapes={self.input_shapes} "
            f"cpu_memory_usage={self.cpu_memory_usage} None_memory_usage=0 "
            f"is_async={self.is_async} "
            f"is_remote={self.is_remote} seq_nr={self.sequence_nr} "
            f"is_legacy={self.is_legacy}>"
        )


class FunctionEventAvg(FormattedTimesMixin):
    """All calls of one name: their number and their times together.

    Example:
        >>> both = FunctionEventAvg()
        >>> for end in (2.0, 4.0):
        ...     _ = both.add(FunctionEvent(0, "aten::add", 1, 0.0, end))
        >>> both.count, both.cpu_time
        (2, 3.0)
    """

    def __init__(self) -> None:
        self.key: str | None = None
        self.count, self.node_id, self.flops = 0, 0, 0
        self.overload_name, self.use_device = None, None
        self.is_async = self.is_remote = self.is_legacy = False
        self.cpu_time_total = self.self_cpu_time_total = 0.0
        self.input_shapes: Any = None
        self.stack: Any = None
        self.scope: int | None = None
        self.cpu_memory_usage = self.self_cpu_memory_usage = 0
        self.device_memory_usage = self.self_device_memory_usage = 0
        self.cpu_children: Any = None
        self.cpu_parent: Any = None
        self.is_user_annotation = False

    def add(self, other: Any) -> FunctionEventAvg:
        """Count another call, or other calls, of the same name."""
        if self.key is None:
            self.key, self.scope = other.key, other.scope
            self.input_shapes, self.stack = other.input_shapes, other.stack
            self.cpu_parent = other.cpu_parent
            self.is_user_annotation = other.is_user_annotation
        self.count += other.count
        self.cpu_time_total += other.cpu_time_total
        self.self_cpu_time_total += other.self_cpu_time_total
        self.cpu_memory_usage += other.cpu_memory_usage
        self.self_cpu_memory_usage += other.self_cpu_memory_usage
        return self

    def __iadd__(self, other: Any) -> FunctionEventAvg:
        return self.add(other)

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} "
            f"self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str}  self_cuda_time=0.000us "
            f"cuda_time=0.000us input_shapes={self.input_shapes} "
            f"cpu_memory_usage={self.cpu_memory_usage} cuda_memory_usage=0>"
        )


class EventList(list[Any]):
    """Events, or averages of events.

    Example:
        >>> events = EventList([FunctionEvent(0, "aten::add", 1, 0.0, 2.0)])
        >>> events.key_averages()[0].count, events.self_cpu_time_total
        (1, 2.0)
    """

    def __init__(
        self, *args: Any, use_device: Any = None, profile_memory: bool = False,
        with_flops: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(*args)
        self._profile_memory, self._with_flops = profile_memory, with_flops
        self._use_device = use_device

    def _build_tree(self) -> None:
        """Set the parent of each call: the one that made it, in its thread."""
        open_ones: dict[int, list[Any]] = {}
        order = sorted(self, key=lambda e: (e.time_range.start, -e.time_range.end))
        for event in order:
            around = open_ones.setdefault(event.thread, [])
            while around and around[-1].time_range.end < event.time_range.end:
                around.pop()
            if around:
                around[-1].append_cpu_child(event)
                event.set_cpu_parent(around[-1])
            around.append(event)
        for event in reversed(order):
            inner = sum(child.cpu_memory_usage for child in event.cpu_children)
            event.cpu_memory_usage += inner

    @property
    def self_cpu_time_total(self) -> float:
        """The self time of all events."""
        return float(sum(event.self_cpu_time_total for event in self))

    def table(
        self, sort_by: str | None = None, row_limit: int = 100,
        max_src_column_width: int = 75, max_name_column_width: int = 55,
        max_shapes_column_width: int = 80, header: str | None = None,
        top_level_events_only: bool = False, time_unit: str | None = None,
    ) -> str:  # fmt: skip
        """The events as a table.

        Args:
            sort_by: the column to sort by, such as "cpu_time_total"; largest first.
            row_limit: how many rows; -1 for all.
            top_level_events_only: leave out calls made during other calls.
            time_unit: "us", "ms" or "s" for all times; by default what suits each.
        """
        widths = max_name_column_width, max_shapes_column_width, max_src_column_width
        return build_table(
            self, sort_by, header, row_limit, widths, self._profile_memory,
            top_level_events_only, time_unit,
        )  # fmt: skip

    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:  # fmt: skip
        """Averages of the events of each name, and of each shape if requested."""
        found: dict[Any, FunctionEventAvg] = {}
        for event in self:
            key: tuple[Any, ...] = (event.key, event.is_user_annotation)
            if group_by_input_shapes:
                key += (str(event.input_shapes),)
            if group_by_stack_n > 0:
                key += tuple((event.stack or ())[:group_by_stack_n])
            found.setdefault(key, FunctionEventAvg()).add(event)
        averages = EventList(found.values(), profile_memory=self._profile_memory)
        for average in averages:
            average.stack = (average.stack or [])[:group_by_stack_n]
            if not group_by_input_shapes:
                average.input_shapes = ""
        return averages

    def total_average(self) -> FunctionEventAvg:
        """All events together."""
        total = FunctionEventAvg()
        for event in self:
            total.add(event)
            total.key = None
        total.key = "Total"
        return total

    def export_chrome_trace(self, path: str) -> None:
        """Write the events for Perfetto (ui.perfetto.dev) and chrome://tracing."""
        Path(path).write_text(trace_json(map(_span_of, self)), encoding="utf-8")

    def export_stacks(self, path: str, metric: str) -> None:
        """Write each stack and its time, in the format of flame graphs.

        Raises:
            ValueError: for another metric than "self_cpu_time_total".
        """
        if metric not in self.supported_export_stacks_metrics():
            known = str(self.supported_export_stacks_metrics())
            raise ValueError(f"metric should be one of: {known}")
        lines = [
            ";".join(str(line) for line in reversed(event.stack))
            + f" {int(getattr(event, metric))}\n"
            for event in self
            if event.stack and int(getattr(event, metric)) > 0
        ]
        Path(path).write_text("".join(lines), encoding="utf-8")

    def supported_export_stacks_metrics(self) -> list[str]:
        """The times that stacks may be written with."""
        return ["self_cpu_time_total"]

    def __str__(self) -> str:
        return self.table()


def _span_of(event: FunctionEvent) -> Span:
    """An event for a trace; an arrow leads from an op to its node."""
    args: dict[str, Any] = {"External id": event.id + 1, "Ev Idx": event.id}
    node = event.scope == 1
    if event.sequence_nr >= 0:
        thread = event.fwd_thread if node else 0
        args |= {"Sequence number": event.sequence_nr, "Fwd thread id": thread}
    if event.input_shapes:
        args["Input Dims"] = event.input_shapes
    if event.stack and event.stack[0]:
        args["Call stack"] = ";".join(map(str, event.stack))
    engine = event.name.startswith("autograd::engine::")
    flow = event.sequence_nr if event.sequence_nr > 0 and not engine else 0
    category = "user_annotation" if event.is_user_annotation else "cpu_op"
    start, duration = event.time_range.start, event.cpu_time_total
    return Span(
        event.trace_name, category, start, duration, event.thread, args, flow, node
    )
