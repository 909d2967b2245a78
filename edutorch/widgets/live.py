"""Pause, step and resume a training cell while it runs.

    from edutorch.widgets import live
    live                      # shows the buttons; training runs in a later cell

The training code needs no changes. During a pause, a listener blocks the computing
thread inside the event of an operation; otherwise there is no listener, and no cost.
Clicks arrive on another thread (ipykernel 7.3 or newer handles the messages of a widget
in a separate thread if nothing else writes to the widget). Where this is not possible,
training is never paused.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import traitlets

from .. import events
from ..inspect import event_fields as fields
from ..inspect.source_lines import called_at
from ..inspect.step_log import NOT_THE_MODEL
from ..inspect.step_throttle import throttle
from .bundle import BundledWidget
from .kernel_replies import KernelReplies
from .notebook import cells
from .refresher import refresher

__all__ = ["Live", "LiveButtons", "live"]

SLICE = 0.02  # seconds between two checks for Ctrl-C
ANSWER = 0.2  # seconds that a reply waits for the requested step
GRANULARITIES = ("op", "module", "step")


class LiveButtons(BundledWidget):
    """The buttons. Python never updates this widget after creating it.

    Messages are passed on; answers are sent only as replies.
    """

    view = traitlets.Unicode("live").tag(sync=True)
    data = traitlets.Dict().tag(sync=True)
    frozen = traitlets.Bool(False).tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, control: Live) -> None:
        self._control = control
        super().__init__(state=control.state)
        self.on_msg(self._on_message)

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        self._control.command(content)
        self._control.wait_until_stopped(ANSWER)
        alive = threading.current_thread() is not threading.main_thread()
        self.send({"ack": 1, "live": alive, "state": self._control.state})


class Live:
    """Pauses and steps whatever computes in this process.

    Example:
        >>> control = Live()
        >>> control.pause()
        >>> control.state["mode"]
        'paused'
        >>> control.resume()
        >>> control.state["mode"]
        'idle'
    """

    def __init__(self) -> None:
        self._listening: events.Subscription | None = None
        self._widget: LiveButtons | None = None
        self._granularity = "op"
        self._wake = threading.Event()
        self._lock = threading.Lock()  # one thread requests steps, another takes them
        self._waiting = 0  # threads that are stopped here
        self._stopped = threading.Event()  # one is stopped, with no step left
        self._due: tuple[tuple[Any, ...], int] | None = None  # not summarised yet
        self._steps = 0
        self._stepping = False  # whether a step was requested in this pause
        self._at = ""
        self._reader = 0  # the thread that receives the messages of the buttons
        self._calls: dict[int, str] = {}
        self._modules: dict[int, int] = {}  # graph node -> module call
        self._last_module = -1
        self._replies = KernelReplies()
        cells.listen(self)

    @property
    def state(self) -> dict[str, str]:
        """The state of the buttons: mode, granularity, and where training is paused."""
        if self._listening is not None:
            mode, at = "paused", self._at if self._waiting else ""
        else:
            mode, at = ("running" if cells.running else "idle"), ""
        return {"mode": mode, "granularity": self._granularity, "at": at}

    @property
    def widget(self) -> LiveButtons:
        """The buttons."""
        if self._widget is None:
            self._widget = LiveButtons(self)
        return self._widget

    def command(self, content: Any) -> None:
        """Handle a message of the buttons; unknown messages are ignored."""
        self._reader = threading.get_ident()
        command = content.get("cmd") if isinstance(content, dict) else None
        if command == "pause":
            self.pause()
        elif command == "resume":
            self.resume()
        elif command == "step":
            self.step(content.get("granularity", self._granularity))

    def pause(self) -> None:
        """Stop at the next operation of any other thread, in this or a later cell."""
        self._reader = threading.get_ident()
        self._granularity = "op"
        self._steps = 0
        self._stepping = False
        if self._listening is None:
            self._listening = events.listen(
                "widgets.live",
                self._on_event,
                level=2,  # an op's values are summarised before it stops
                kinds=("op", "bwd", "mod", "mark", "stat"),
            )
            throttle.hold()
            self._replies.begin()

    def resume(self) -> None:
        """Continue the training."""
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()
            throttle.release()
            self._replies.end()
        self._due = None
        self._calls.clear()
        self._modules.clear()
        self._stopped.set()
        self._wake.set()

    def step(self, granularity: str = "op") -> None:
        """Continue to the next "op", or to the end of the "module" or "step".

        Raises:
            ValueError: for another granularity.
        """
        self._reader = threading.get_ident()
        if granularity not in GRANULARITIES:
            raise ValueError(f"step() expects one of {GRANULARITIES}")
        if self._listening is None:
            self.pause()
        self._granularity = granularity
        self._stepping = True
        with self._lock:
            self._steps += 1
            self._stopped.clear()
        self._wake.set()

    def wait_until_stopped(self, seconds: float) -> None:
        """Wait until a requested step has ended, so that the reply can tell where."""
        if self._listening is not None and self._waiting:
            self._stopped.wait(seconds)

    def cell_began(self) -> None:
        """Handle the start of a cell."""

    def cell_ended(self) -> None:
        """Drop a pause that stopped no operation, so that the next cell runs."""
        if self._listening is not None and not self._waiting:
            self.resume()

    def kernel_idle(self) -> None:
        """Handle a period without running cells."""

    def _on_event(self, record: tuple[Any, ...]) -> None:
        """Stop the computing thread, which runs this handler, at the end of a step."""
        if self._listening is None or threading.get_ident() == self._reader:
            return  # the thread that receives clicks must not wait for one
        if throttle.skipping:
            return  # views skip this step, and will watch the next
        if record[fields.KIND] == "stat":
            if self._due is not None and record[fields.STAT_IDENT] == self._due[1]:
                self._stop_at(self._due[0])
            return
        if self._due is not None:  # there were no values to summarise
            self._stop_at(self._due[0])
        if self._is_end(record):
            last = _last_summary(record) if events.level >= 2 else 0
            if last:
                self._due = record, last
            else:
                self._stop_at(record)

    def _stop_at(self, record: tuple[Any, ...]) -> None:
        self._due = None
        self._at = self._describe(record)
        self._wait()

    def _is_end(self, record: tuple[Any, ...]) -> bool:
        """Whether this record ends a step of the chosen granularity."""
        kind = record[fields.KIND]
        if kind == "mod" and record[fields.MOD_WHAT] == "enter":
            self._calls[record[fields.MOD_CALL]] = record[fields.MOD_PATH]
        elif kind == "op" and record[fields.OP_NODE]:
            self._modules[record[fields.OP_NODE]] = record[fields.OP_CALL]
        if self._granularity == "step":
            return kind == "mark" and record[fields.MARK_CONTROL] == "step"
        if self._granularity == "module":
            return self._leaves_module(record)
        return kind in ("op", "bwd") and not self._is_outside_model(record)

    def _is_outside_model(self, record: tuple[Any, ...]) -> bool:
        """Whether GraphView omits the op: a pause can stop at it, a step does not."""
        is_op = record[fields.KIND] == "op"
        return self._stepping and is_op and record[fields.OP_PHASE] in NOT_THE_MODEL

    def _leaves_module(self, record: tuple[Any, ...]) -> bool:
        """Whether a module's forward ends, or backward reaches another module."""
        if record[fields.KIND] != "bwd":
            return record[fields.KIND] == "mod" and record[fields.MOD_WHAT] == "exit"
        module = self._modules.get(record[fields.BWD_NODE], self._last_module)
        before, self._last_module = self._last_module, module
        return module != before

    def _describe(self, record: tuple[Any, ...]) -> str:
        """Where execution is paused: the op, its module and line, or what has ended."""
        kind = record[fields.KIND]
        if kind == "mod":
            return f"module {record[fields.MOD_PATH] or record[fields.MOD_CLS]} ended"
        if kind == "mark":
            return "training step ended"
        parts = self._op_parts(record) if kind == "op" else self._backward_parts(record)
        return " · ".join(part for part in parts if part)

    def _op_parts(self, record: tuple[Any, ...]) -> tuple[str, str, str]:
        place = called_at(record[fields.OP_SRC]) or {"file": "", "line": 0}
        line = f"{Path(place['file']).name}:{place['line']}"
        path = self._calls.get(record[fields.OP_CALL], "")
        return record[fields.OP_NAME], path, line

    def _backward_parts(self, record: tuple[Any, ...]) -> tuple[str, str, str]:
        call = self._modules.get(record[fields.BWD_NODE], 0)
        path = self._calls.get(call, "")
        target = events.names.get(record[fields.BWD_TARGET])
        return record[fields.BWD_NAME], target or path, "backward"

    def _wait(self) -> None:
        self._waiting += 1
        events.control("pause", "begin")
        refresher.hurry()
        try:
            while self._listening is not None and not self._take_step():
                self._report_stopped()
                self._wake.wait(SLICE)
                self._wake.clear()
        except BaseException:  # Ctrl-C ends the pause together with the cell
            self.resume()
            raise
        finally:
            events.control("pause", "over" if self._listening is None else "end")
            self._waiting -= 1

    def _report_stopped(self) -> None:
        with self._lock:
            if not self._steps:
                self._stopped.set()

    def _take_step(self) -> bool:
        with self._lock:
            taken = self._steps > 0
            self._steps -= taken
            if taken:
                self._stopped.clear()
        return taken

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The buttons; a line of text for readers without a kernel."""
        bundle: Any = self.widget._repr_mimebundle_(**kwargs) or {}
        data, meta = bundle if isinstance(bundle, tuple) else (bundle, {})
        text = "Buttons to pause, step and resume training (they need a kernel)"
        return {**data, "text/plain": text}, meta

    def __repr__(self) -> str:
        return f"<live controls: {self.state['mode']}>"


def _last_summary(record: tuple[Any, ...]) -> int:
    """The last tensor that is summarised after an op or a node; 0 for none."""
    if record[fields.KIND] == "op":
        return int((record[fields.OP_OUTPUTS] or (0,))[-1])
    if record[fields.KIND] == "bwd":
        return int(record[fields.BWD_NODE] or record[fields.BWD_TARGET])
    return 0


live = Live()
