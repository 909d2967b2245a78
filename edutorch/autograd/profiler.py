"""Profiles: the operations that ran, their durations and devices.

A profile listens to the library's events (`edutorch.events`): operations of the
forward pass, nodes of the backward pass, and named blocks (`record_function`).
"""

from __future__ import annotations

import itertools
from functools import wraps
from typing import Any, NoReturn, Self

from .. import events
from .profiler_events import ProfileCollector
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg

__all__ = [
    "EventList", "FunctionEvent", "emit_itt", "emit_nvtx", "load_nvprof",
    "parse_nvprof_trace", "profile", "record_function",
]  # fmt: skip

KINDS = ("op", "bwd", "mark", "span")
_number = itertools.count(1).__next__
_running: list[Any] = []


class profile:  # noqa: N801 (PyTorch's name)
    """A block whose operations are timed.

    Args:
        enabled: False for a block that is not timed.
        record_shapes: note the shapes of the operands.
        profile_memory: note the bytes that results take.
        with_stack: note the line of the program that ran an operation.
        use_cuda, use_device, with_flops, with_modules, use_kineto, use_cpu,
        experimental_config, acc_events, custom_trace_id_callback,
        post_processing_timeout_s, activity_filters: accepted; everything is timed on
            the CPU, which does the work of simulated GPUs, too.

    Raises:
        RuntimeError: for a block inside of another one, or entered twice.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.profiler.profile() as prof:
        ...     _ = torch.ones(3).add(1).exp()
        >>> [event.name for event in prof.function_events]
        ['aten::ones', 'aten::add', 'aten::exp']
        >>> prof.key_averages()[0].count
        1
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
        experimental_config: Any = None,
        acc_events: bool = False,
        custom_trace_id_callback: Any = None,
        post_processing_timeout_s: float | None = None,
        activity_filters: Any = None,
    ) -> None:
        self.enabled, self.entered = enabled, False
        self.record_shapes, self.profile_memory = record_shapes, profile_memory
        self.with_stack, self.use_cpu = with_stack, use_cpu
        self.function_events: EventList | None = None
        self._records: list[tuple[Any, ...]] = []
        self._subscription: events.Subscription | None = None

    def __enter__(self) -> Self:
        if not self.enabled:
            return self
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        if _running:
            raise RuntimeError(
                "Can't disable Kineto profiler when it's not running"
                if self in _running
                else "Profiler is already enabled on this thread"
            )
        self.entered = True
        self._began = events.clock() / 1e3
        _running.append(self)
        self._subscription = events.listen(
            f"profiler.{_number()}", self._records.append,
            kinds=KINDS,
        )  # fmt: skip
        return self

    def __exit__(self, *exception: object) -> None:
        if self.enabled and self._subscription is not None:
            self._subscription.close()
            _running.remove(self)
            self._subscription = None
            self.function_events = _events_of(self)

    def toggle_collection_dynamic(self, enabled: bool, activities: Any = ()) -> None:
        """Stop listening for a while, or listen again."""
        if self._subscription is None:
            return
        self._subscription.close()
        if enabled:
            self._subscription = events.listen(
                self._subscription.name, self._records.append,
                kinds=KINDS,
            )  # fmt: skip

    def _finished_events(self) -> EventList:
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def table(self, *args: Any, **options: Any) -> str:
        """All events as a table; see `EventList.table`."""
        return self._finished_events().table(*args, **options)

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:  # fmt: skip
        """Averages of the events of each name.

        Raises:
            RuntimeError: before the end of the block.
        """
        return self._finished_events().key_averages(
            group_by_input_shape, group_by_stack_n
        )

    def total_average(self) -> FunctionEventAvg:
        """All events together."""
        return self._finished_events().total_average()

    @property
    def self_cpu_time_total(self) -> float:
        """The time of all operations, in microseconds."""
        return self._finished_events().self_cpu_time_total

    def export_chrome_trace(self, path: str) -> None:
        """Write the events for the trace viewer of Chrome."""
        self._finished_events().export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write stacks and their times, in the format of flame graphs.

        Raises:
            RuntimeError: if stacks were not noted.
        """
        if not self.with_stack:
            raise RuntimeError("export_stacks() requires with_stack=True")
        self._finished_events().export_stacks(path, metric)

    def __repr__(self) -> str:
        if self.function_events is None:
            return "<unfinished torch.autograd.profile>"
        return repr(self.function_events)

    def __str__(self) -> str:
        if self.function_events is None:
            return "<unfinished torch.autograd.profile>"
        return str(self.function_events)


def _events_of(prof: profile) -> EventList:
    """The events of a profile's records, the outer ones first."""
    collector = ProfileCollector(prof.record_shapes, prof.with_stack)
    collector.add(prof._records)
    found = collector.found
    _relative_times(found, prof)
    found.sort(key=lambda e: (e.time_range.start, -e.time_range.end))
    for number, event in enumerate(found):
        event.id = number
    result = EventList(found, profile_memory=prof.profile_memory)
    result._build_tree()
    return result


def _relative_times(found: list[FunctionEvent], prof: profile) -> None:
    """Count times from where the profile began, and threads from 1."""
    threads: dict[int, int] = {}
    for event in found:
        event.time_range.start -= prof._began
        event.time_range.end -= prof._began
        event.thread = threads.setdefault(event.thread, len(threads) + 1)
    for event in found:
        event.fwd_thread = threads.get(event.fwd_thread, 0)


class record_function:  # noqa: N801 (PyTorch's name)
    """A block, or function, that profiles and views show by a name.

    Args:
        name: the block's name.
        args: accepted, for PyTorch's traces.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.profiler.profile() as prof:
        ...     with torch.autograd.profiler.record_function("mine"):
        ...         _ = torch.ones(3) + 1
        >>> prof.function_events[0].name
        'mine'
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args

    def __enter__(self) -> Self:
        events.mark(self.name, "begin")
        return self

    def __exit__(self, *exception: object) -> None:
        events.mark(self.name, "end")

    def __call__(self, function: Any) -> Any:
        @wraps(function)
        def named(*args: Any, **kwargs: Any) -> Any:
            with record_function(self.name, self.args):
                return function(*args, **kwargs)

        return named

    def _call_end_callbacks_on_future(self, fut: Any) -> Any:
        return fut


class emit_nvtx:  # noqa: N801 (PyTorch's name)
    """A block visible to NVIDIA's profiling tools, which are not supported.

    Raises:
        RuntimeError: on entering, unless it is switched off.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.profiler.emit_nvtx(enabled=False):
        ...     pass
    """

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled

    def __enter__(self) -> Self:
        if self.enabled:
            raise RuntimeError(
                "NVTX functions not installed. Are you sure you have a CUDA build?"
            )
        return self

    def __exit__(self, *exception: object) -> None:
        return None


class emit_itt:  # noqa: N801 (PyTorch's name)
    """A block visible to Intel's profiling tools, which are not supported.

    Raises:
        RuntimeError: on entering, unless it is switched off.

    Example:
        >>> import edutorch as torch
        >>> with torch.autograd.profiler.emit_itt(enabled=False):
        ...     pass
    """

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled

    def __enter__(self) -> Self:
        if self.enabled:
            raise RuntimeError("ITT functions not installed.")
        return self

    def __exit__(self, *exception: object) -> None:
        return None


def parse_nvprof_trace(path: str) -> NoReturn:
    """The events in a file of NVIDIA's `nvprof`: it is not read.

    Raises:
        RuntimeError: always.

    Example:
        >>> try:
        ...     parse_nvprof_trace("trace")
        ... except RuntimeError as error:
        ...     print(error)
        traces of nvprof are not read
    """
    raise RuntimeError("traces of nvprof are not read")


def load_nvprof(path: str) -> NoReturn:
    """The events in a file of NVIDIA's `nvprof`: it is not read.

    Raises:
        RuntimeError: always.

    Example:
        >>> try:
        ...     load_nvprof("trace")
        ... except RuntimeError as error:
        ...     print(error)
        traces of nvprof are not read
    """
    parse_nvprof_trace(path)
