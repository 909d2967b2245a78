"""The schedule of a profile: which steps are timed, and what happens to the results."""

from __future__ import annotations

import enum
import gzip
import json
import os
import socket
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from ..autograd import profiler as timing
from ..autograd.profiler_util import EventList

__all__ = [
    "ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "schedule",
    "supported_activities", "tensorboard_trace_handler",
]  # fmt: skip


class ProfilerAction(enum.Enum):
    """The action of a profile in one step.

    Example:
        >>> ProfilerAction.RECORD.name
        'RECORD'
    """

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class ProfilerActivity(enum.Enum):
    """The devices that are timed. The work of simulated GPUs counts as the CPU's.

    Example:
        >>> ProfilerActivity.CPU.value
        0
    """

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


def kineto_available() -> bool:
    """Whether PyTorch's tracing library is part of this: it is not.

    Example:
        >>> kineto_available()
        False
    """
    return False


def supported_activities() -> set[ProfilerActivity]:
    """The devices that can be timed.

    Example:
        >>> sorted(a.name for a in supported_activities())
        ['CPU']
    """
    return {ProfilerActivity.CPU}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0,
    skip_first_wait: int = 0,
) -> Callable[[int], ProfilerAction]:  # fmt: skip
    """Rounds of steps that wait, warm up, and are timed.

    Args:
        wait, warmup, active: how many steps of each kind a round has.
        repeat: how many rounds; 0 for as many as there are.
        skip_first: steps before the first round.
        skip_first_wait: whether the first round does not wait.

    Raises:
        AssertionError: for numbers below zero, or no active step.

    Example:
        >>> plan = schedule(wait=1, warmup=1, active=2)
        >>> [plan(step).name for step in range(5)]
        ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    counts = (wait, warmup, active, repeat, skip_first)
    if min(counts) < 0 or active == 0:
        raise AssertionError("Invalid profiler schedule arguments")
    if warmup == 0:
        warnings.warn(
            "Profiler won't be using warmup, this can skew profiler results",
            stacklevel=2,
        )

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        length = wait + warmup + active
        if repeat > 0 and step // length >= repeat:
            return ProfilerAction.NONE
        at = step % length
        if at < wait:
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        last = at == length - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    return action


def tensorboard_trace_handler(
    dir_name: str,
    worker_name: str | None = None,
    use_gzip: bool = False,
    use_python_export: bool = False,
) -> Callable[[Any], None]:
    """A function that writes each trace to a file in a folder, as TensorBoard expects.

    Raises:
        RuntimeError: if the folder cannot be made.

    Example:
        >>> import edutorch as torch
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write = torch.profiler.tensorboard_trace_handler(folder, "me")
        ...     with torch.profiler.profile(on_trace_ready=write):
        ...         _ = torch.ones(2) + 1
        ...     len(os.listdir(folder))
        1
    """
    worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"

    def write(prof: Any) -> None:
        try:
            Path(dir_name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RuntimeError("Can't create directory: " + dir_name) from error
        ending = ".pt.trace.json.gz" if use_gzip else ".pt.trace.json"
        name = f"{worker}.{time.time_ns()}{ending}"
        prof.export_chrome_trace(str(Path(dir_name) / name))

    return write


class profile:  # noqa: N801 (PyTorch's name)
    """A block whose steps are timed by a schedule; without one, all of it is.

    Args:
        activities: accepted; everything is timed on the CPU.
        schedule: the action of each step; see `schedule`.
        on_trace_ready: called with the profile whenever a round is over.
        record_shapes: note the shapes of the operands.
        profile_memory: note the bytes that results take.
        with_stack: note the line of the program that ran an operation.
        with_flops, with_modules, experimental_config, execution_trace_observer,
        acc_events, use_cuda, custom_trace_id_callback, post_processing_timeout_s:
            accepted.

    Example:
        >>> import edutorch as torch
        >>> seen = []
        >>> plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> with torch.profiler.profile(
        ...     schedule=plan, on_trace_ready=lambda p: seen.append(p.step_num)
        ... ) as prof:
        ...     for _ in range(6):
        ...         _ = torch.ones(2) + 1
        ...         prof.step()
        >>> seen, {a.key: a.count for a in prof.key_averages()}["aten::add"]
        ([4], 2)
    """

    def __init__(
        self,
        *,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        self.activities = set(activities or supported_activities())
        self.schedule = schedule or _always
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.record_shapes, self.profile_memory = record_shapes, profile_memory
        self.with_stack, self.with_flops = with_stack, with_flops
        self.with_modules, self.use_device = with_modules, None
        self.step_num = 0
        self.current_action = self.schedule(0)
        self.profiler: timing.profile | None = None
        self.step_rec_fn: timing.record_function | None = None
        self._metadata: dict[str, Any] = {}

    # ---- beginning and end

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin with the first step."""
        if _records(self.current_action):
            self.start_trace()
        self._begin_step()

    def stop(self) -> None:
        """End the last step; what was timed is handed over."""
        self._end_step()
        if _records(self.current_action):
            self._hand_over()

    def step(self) -> None:
        """The next step begins."""
        self._end_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        if before is ProfilerAction.RECORD_AND_SAVE or (
            _records(before) and not _records(self.current_action)
        ):
            self._hand_over()
            before = ProfilerAction.NONE
        if _records(self.current_action) and not _records(before):
            self.start_trace()
        self._begin_step()

    def prepare_trace(self) -> None:
        """Get ready to time: nothing has to be prepared."""

    def start_trace(self) -> None:
        """Time from here on."""
        self.profiler = timing.profile(
            record_shapes=self.record_shapes, profile_memory=self.profile_memory,
            with_stack=self.with_stack,
        )  # fmt: skip
        self.profiler.__enter__()

    def stop_trace(self) -> None:
        """Stop timing."""
        self._timed().__exit__(None, None, None)

    def _hand_over(self) -> None:
        self.stop_trace()
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def _begin_step(self) -> None:
        if self.record_steps:
            name = f"ProfilerStep#{self.step_num}"
            self.step_rec_fn = timing.record_function(name).__enter__()

    def _end_step(self) -> None:
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None

    # ---- what was found

    def _timed(self) -> timing.profile:
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before getting events")
        return self.profiler

    def events(self) -> EventList:
        """The events of the last round.

        Raises:
            AssertionError: if nothing was timed.
        """
        return self._timed()._finished_events()

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:  # fmt: skip
        """Averages of the events of each name.

        Raises:
            AssertionError: if nothing was timed.
        """
        return self._timed().key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path: str) -> None:
        """Write the events for Chrome's trace viewer, packed for names in ".gz"."""
        if not path.endswith(".gz"):
            self._timed().export_chrome_trace(path)
            self._add_metadata(path)
            return
        with tempfile.TemporaryDirectory() as folder:
            uncompressed = Path(folder) / "trace.json"
            self.export_chrome_trace(str(uncompressed))
            with gzip.open(path, "wb") as file:
                file.write(uncompressed.read_bytes())

    def _add_metadata(self, path: str) -> None:
        if self._metadata:
            saved = json.loads(Path(path).read_text(encoding="utf-8"))
            Path(path).write_text(json.dumps(self._metadata | saved), encoding="utf-8")

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write stacks and their times, in the format of flame graphs."""
        self._timed().export_stacks(path, metric)

    def add_metadata(self, key: str, value: str) -> None:
        """A text to be written with the trace."""
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """A value, as JSON, to be written with the trace."""
        self._metadata[key] = json.loads(value)

    preset_metadata_json = add_metadata_json

    def toggle_collection_dynamic(self, enable: bool, activities: Any) -> None:
        """Stop listening for a while, or listen again."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)


def _always(step: int) -> ProfilerAction:
    """The schedule of a block without one."""
    return ProfilerAction.RECORD


def _records(action: ProfilerAction) -> bool:
    return action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
