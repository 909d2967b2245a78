"""Records the metrics of a training run: loss, learning rate, update size, speed.

The loss is the root of backward passes, the learning rate is the optimizer's, and other
values are logged by name. Tensors are read immediately and never stored.
"""

from __future__ import annotations

import math
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import events
from ..optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)
from .event_fields import KIND, MARK_CONTROL, MARK_WHAT, ROOT_VALUE
from .pausable_clock import PAUSES, PausableClock
from .recorder import Recorder
from .run_ends import Instruction, passed_through, state_after
from .run_series import WINDOW, RunRules, Series, Speed, as_json, in_order
from .run_start import FirstStep

__all__ = ["RunRecorder"]

METRICS = 32
REMARKS = 8
OPTIMIZERS = 4  # with separate learning rates
GROUPS = 4
SAMPLE = 4096  # elements of a parameter from which its change is estimated
SHARE = 0.005  # of the time, for estimating these changes


class _Collector:
    """Collects the metrics of one thread; independent of views and files."""

    def __init__(self, rules: RunRules, clock: Callable[[], float]) -> None:
        self.rules = rules
        self.clock = clock
        self.series: dict[str, Series] = {}
        self.remarks: list[str] = []
        self.state = "waiting"
        self.done, self.samples, self.passes = 0, 0, 0
        self.total: int | None = None
        self.step = 0  # done in all passes, and the number of the next, from 0
        self.rev = 0
        self.thread = threading.get_ident()
        self.earlier = 0.0  # seconds of the loops before the current one
        self.inside = False  # whether a tracked loop is running
        self.left: Instruction | None = None  # where the program left the loop
        self.speed = Speed()
        self.first = FirstStep()
        self._pauses = PausableClock()
        self._began = self._ended = self._now()
        self._own: set[str] = set()  # names that the program logs
        self._optimizers: list[weakref.ref[Any]] = []
        self._stepping = False
        self._roots: list[float] = []  # losses since an optimizer stepped
        self._losses: dict[str, list[float]] = {}  # of the steps in this batch
        self._before: list[tuple[weakref.ref[Any], np.ndarray]] = []
        self._next_look: dict[int, float] = {}  # by optimizer
        self._look_cost: dict[int, float] = {}  # seconds, by optimizer
        self._look_time = 0.0  # seconds spent on the current estimate

    # ---- events

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle what belongs to a training step, its end, or a pause."""
        kind = record[KIND]
        if kind == "mark" and record[MARK_CONTROL] in PAUSES:
            self._pause(record)
        if not self._is_listening():
            return
        self.first.hear(record, self._now())
        if kind == "root":
            if not (self._stepping and self._roots):  # a closure's first loss counts
                self._roots.append(record[ROOT_VALUE])
        elif kind == "mark" and not self.passes and record[MARK_CONTROL] == "step":
            self.end_batch(0)

    def _now(self) -> float:
        """Seconds, without pauses and without the time between two notebook cells."""
        return self._pauses.read(round(1e9 * self.clock())) / 1e9

    def _pause(self, record: tuple[Any, ...]) -> None:
        self._pauses.pause(record[MARK_WHAT], round(1e9 * self.clock()))
        if (record[MARK_CONTROL], record[MARK_WHAT]) == ("idle", "end"):
            self.first.forget()

    def _is_listening(self) -> bool:
        """Whether to listen: on one thread, and once loops are tracked, in them."""
        here = threading.get_ident() == self.thread
        return here and (self.inside or not self.passes)

    def before_step(self, optimizer: Any, *_arguments: Any) -> None:
        """Copy some weights before an optimizer steps."""
        if not self._is_listening():
            return
        self._stepping, self._before = True, []
        if self.clock() >= self._next_look.get(self._index_of(optimizer), -math.inf):
            self._guarded(self._look_before, optimizer)

    def after_step(self, optimizer: Any, *_arguments: Any) -> None:
        """After an optimizer's step, record loss, learning rates and update size."""
        if self._is_listening():
            self._stepping = False
            self._guarded(self._look_after, optimizer)

    def _guarded(self, action: Callable[[Any], None], argument: Any) -> None:
        try:
            action(argument)
        except Exception as error:  # noqa: BLE001 (watching must never end a training)
            self.remark(f"{type(error).__name__}: {error}")

    def _look_before(self, optimizer: Any) -> None:
        began = self.clock()
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        self._before = [
            (weakref.ref(p), sample)
            for p in parameters
            if (sample := _sample_of(p)) is not None
        ]
        self._look_time = self.clock() - began

    def _look_after(self, optimizer: Any) -> None:
        index = self._index_of(optimizer)
        suffix = f" {index + 1}" if index else ""
        if self._roots:
            self._losses.setdefault("loss" + suffix, []).append(sum(self._roots))
            self._roots = []
        for i, group in enumerate(optimizer.param_groups[:GROUPS]):
            rate = group.get("lr")
            if rate is not None:
                self._add_value(f"lr{suffix}" + (f" [{i}]" if i else ""), float(rate))
        if self._before:
            began = self.clock()
            ratio = _update_ratio(self._before)
            self._before = []
            if ratio is not None:
                self._add_value("update/weight" + suffix, ratio)
            now = self.clock()
            took = self._look_time + now - began
            usual = self._look_cost.get(index, took)
            self._look_cost[index] = took = min(took, 2 * usual)
            self._next_look[index] = now + took * len(self._optimizers) / SHARE

    def _index_of(self, optimizer: Any) -> int:
        for i, known in enumerate(self._optimizers):
            if known() is optimizer:
                return i
        for i, known in enumerate(self._optimizers):
            if known() is None:  # its optimizer has been freed
                self._optimizers[i] = weakref.ref(optimizer)
                return i
        if len(self._optimizers) < OPTIMIZERS:
            self._optimizers.append(weakref.ref(optimizer))
        return len(self._optimizers) - 1

    @property
    def optimizers_freed(self) -> bool:
        """Whether this run's optimizers are freed, so that another run begins."""
        known = self._optimizers
        return bool(known) and all(reference() is None for reference in known)

    # ---- the loop

    def begin(self, total: int | None) -> None:
        """Begin a loop over batches."""
        self.thread = threading.get_ident()
        self.inside, self.total, self.state = True, total, "running"
        self.done = self.samples = 0
        self.left = None
        self.passes += 1
        self._stepping, self._roots = False, []
        self.earlier += self._ended - self._began
        self._began = self._ended = self._now()
        self.speed.begin(self._began)
        self.first.end()
        self.rev += 1

    def end_batch(self, size: int) -> None:
        """End a batch with this number of samples (0 if unknown)."""
        now = self._now()
        if self.passes:
            self.inside = True
        elif not self.done:
            began = self.first.began
            self._began = now if began is None else began
            self.speed.begin(self._began, int(began is None))
            self.first.end()
        elif now - self._ended > WINDOW:  # after a long interruption
            self.speed.begin(now, self.done + 1)
        self.state = "running"
        self.step += 1
        self.done += 1
        self.samples += size
        if self._roots and not self._optimizers:  # there is no optimizer
            self._losses["loss"] = [sum(self._roots)]
            self._roots = []
        losses, self._losses = self._losses, {}
        for name, values in losses.items():
            self._add_value(name, sum(values) / len(values), self.step - 1)
        self._ended = now
        if self.speed.add(self._ended, self.done, self.samples):
            rates = self.speed.rates()
            if rates is not None:
                self._add_value(*self._throughput(rates), self.step - 1)
        self.rev += 1  # last, so that a reader of the new number finds the whole batch

    def end(self, state: str) -> None:
        """End the loop; the state is already known if it was not running."""
        rates = self.speed.rates() if self.inside else None
        if rates is not None:  # also of a loop that is too short for a sample
            self._add_value(*self._throughput(rates), self.step - 1)
        if self.state == "running":
            self.state = state
        self.inside = False
        self.rev += 1

    def end_by(self, error: BaseException) -> None:
        """End the run with an exception, unless it has already ended."""
        if self.state == "running" or passed_through(error, self.left):
            self.state = state_after(error)
        self.inside = False
        self.rev += 1

    def _throughput(self, rates: tuple[float, float]) -> tuple[str, float]:
        return ("samples/s", rates[1]) if self.samples else ("batches/s", rates[0])

    # ---- values

    def log(self, values: dict[str, Any]) -> None:
        """Record values of the program; those that are not numbers become remarks."""
        for name, value in values.items():
            number = _number_of(value)
            if number is None:
                kind = type(value).__name__
                self.remark(f"log({name}=...): expected one number, got {kind}")
                continue
            self._own.add(name)
            self._add_sample(name, number, max(0, self.step - (not self.inside)))
        self.rev += 1

    def _add_value(self, name: str, value: float, step: int | None = None) -> None:
        if name not in self._own:
            self._add_sample(name, value, self.step if step is None else step)

    def _add_sample(self, name: str, value: float, step: int) -> None:
        series = self.series.get(name)
        if series is None:
            if len(self.series) >= METRICS:
                self.remark(f"{name}: only {METRICS} names are kept")
                return
            series = self.series[name] = Series(name)
        series.add(step, value)
        self.rules.judge(step, name, value)

    def remark(self, text: str) -> None:
        """Add a remark for the user; only the newest few are kept."""
        if text not in self.remarks:
            self.remarks = [*self.remarks, text[:300]][-REMARKS:]
            self.rev += 1

    def data(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        rates = self.speed.rates()
        left = None
        if rates and rates[0] and self.total is not None and self.inside:
            left = max(0.0, (self.total - self.done) / rates[0])
        speed = self._throughput(rates) if rates else ("batches/s", None)
        return {
            "v": 1,
            "rev": self.rev,
            "state": self.state,
            "step": self.step,
            "done": self.done,
            "total": self.total,
            "passes": self.passes,
            "elapsed": as_json(self._ended - self._began),
            "left": None if left is None else as_json(left),
            "rate": None if speed[1] is None else as_json(speed[1]),
            "unit": speed[0],
            "series": [self.series[name].data() for name in in_order(self.series)],
            "alerts": list(self.rules.alerts),
            "rules": self.rules.descriptions(),
            "remarks": list(self.remarks),
        }


def _sample_of(parameter: Any) -> np.ndarray | None:
    """A copy of evenly spaced elements, as float64."""
    array = parameter._data
    if parameter.device.type == "meta" or not hasattr(array, "reshape"):
        return None
    flat = array.reshape(-1)[:: max(1, -(-array.size // SAMPLE))]
    host = flat.get() if hasattr(flat, "get") else flat
    return host.astype(np.float64) if host.dtype.kind == "f" else None


def _update_ratio(before: list[tuple[weakref.ref[Any], np.ndarray]]) -> float | None:
    """The norm of an update divided by that of the weights before it."""
    changed = weights = 0.0
    for reference, old in before:
        parameter = reference()
        if parameter is None:
            continue
        new = _sample_of(parameter)
        if new is None or new.shape != old.shape or not old.size:
            continue
        scale = parameter.numel() / old.size
        difference = new - old
        changed += scale * float(np.dot(difference, difference))
        weights += scale * float(np.dot(old, old))
    return math.sqrt(changed / weights) if weights > 0 or changed != changed else None


def _number_of(value: Any) -> float | None:
    """A number, or the only element of a tensor or array."""
    try:
        if isinstance(value, str):
            return None
        return float(value.item() if hasattr(value, "item") else value)
    except Exception:  # noqa: BLE001 (whatever was given: it is not a number)
        return None


class RunRecorder(Recorder):
    """Records a training run: loss, learning rate, update size, speed, logged values.

    - `loss`: what a step of an optimizer minimises: the sum of the roots of the
      backward passes since its previous step; for several steps in one batch, their
      mean. It is scaled if a GradScaler scales the loss.
    - `lr`: the learning rate of the optimizer's first parameter group; `lr [1]`, that
      of the second.
    - `update/weight`: the norm of the update divided by that of the weights before it,
      from at most 4,096 elements of each parameter, in at most 0.5% of the time.
    - `samples/s` or `batches/s`: over the last 10 seconds.

    `elapsed` is the time of the current loop, without pauses and without the time
    between two notebook cells. Without `track`, it begins with the first step: when a
    module is called in training mode, or with the first operation that has a gradient.

    Those of a second optimizer are `loss 2` and `lr 2`. If the program logs one of
    these names itself, its values are shown. When a name has 1,000 samples, every other
    one is dropped.

    Args:
        name: the key of the subscription.
        rules: when to alert.
        clock: seconds.

    Example:
        >>> import edutorch as torch
        >>> w = torch.nn.Parameter(torch.tensor([2.0]))
        >>> optimizer = torch.optim.SGD([w], lr=0.25)
        >>> with torch.inspect.RunRecorder() as recorder:
        ...     (w * w).sum().backward()
        ...     optimizer.step()
        >>> {s["name"]: s["last"] for s in recorder.series()["series"]}
        {'loss': 4.0, 'lr': 0.25, 'update/weight': 0.5}
    """

    kinds = ("root", "mark")
    can_skip_steps = False  # it counts steps, which costs little
    _collector: _Collector

    def __init__(
        self,
        name: str = "inspect.run",
        rules: RunRules | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(name, _Collector(rules or RunRules(), clock))
        self._hooks: weakref.finalize[..., Any] | None = None

    def _started(self, subscription: events.Subscription) -> None:
        collector = self._collector
        before = register_optimizer_step_pre_hook(collector.before_step)
        after = register_optimizer_step_post_hook(collector.after_step)
        self._hooks = weakref.finalize(self, _remove, before, after)
        if not collector.step:
            collector.first.start(partial(_listen, subscription))

    def close(self) -> None:
        """Stop listening; the recorded data remain. Closing twice has no effect."""
        super().close()
        self._collector.first.listen = None
        if self._hooks is not None:
            self._hooks()

    @property
    def rev(self) -> int:
        """A number that increases with every change."""
        return self._collector.rev

    @property
    def optimizers_freed(self) -> bool:
        """Whether the optimizers that have stepped have been freed."""
        return self._collector.optimizers_freed

    def begin(self, total: int | None = None) -> None:
        """Begin a loop on this thread; `total` is the number of batches, if known."""
        self._collector.begin(total)

    def end_batch(self, size: int = 0) -> None:
        """End a batch of the loop; `size` is the number of samples, if known."""
        self._collector.end_batch(size)

    def end(self, state: str = "done") -> None:
        """End the loop."""
        self._collector.end(state)

    def end_by(self, error: BaseException) -> None:
        """End the run with an exception, unless it has already ended."""
        self._collector.end_by(error)

    def log(self, **values: Any) -> None:
        """Log numbers for the current step.

        Args:
            values: numbers, or tensors of one element; anything else becomes a remark.
        """
        self._collector.log(values)

    def remark(self, text: str) -> None:
        """Add a remark for the user."""
        self._collector.remark(text)

    def series(self) -> dict[str, Any]:
        """The run as JSON-ready data."""
        return self._collector.data()


def _listen(subscription: events.Subscription, more: tuple[str, ...]) -> None:
    subscription.change(subscription.level, (*RunRecorder.kinds, *more))


def _remove(*handles: Any) -> None:
    for handle in handles:
        handle.remove()
