"""Decides which training steps live views watch: all if that is cheap, else a sample.

The cost of watching a step depends on the number of its operations, not on their sizes,
so a step of small operations may take several times as long while it is watched. Then
views skip steps: they receive nothing for as many steps as are needed to keep the cost
within the budget that all views have together (`WatchBudget`), of which drawing takes a
part. They show that steps are skipped, and the step that their data come from. A short
training run is watched in full: nothing is skipped before a cell's watched steps have
taken `FREE`. `record()`, and recorders opened by a program, never skip.

Operations outside training steps are watched in part only where they are many and
small: views skip stretches of time then, and say so.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from .. import events
from .event_fields import (
    KIND,
    MARK_CONTROL,
    MARK_NAME,
    MARK_WHAT,
    ROOT_VALUE,
    START,
    STEP,
    THREAD,
)
from .missed_allocations import MissedAllocations
from .pausable_clock import SKIP_MARK
from .recorder import Recorder
from .watch_budget import WatchBudget

__all__ = ["PARTLY", "StepThrottle", "throttle", "throttle_note"]

LONG: Final = 50_000_000  # ns; longer steps have a budget of their own
LONG_BUDGET: Final = 1.0  # share of their time: they are seen one by one
FIRST: Final = 20  # steps of a cell, or of a run, that are always watched
FREE: Final = 500_000_000  # ns of watched steps in a cell before any is skipped
TRIAL: Final = 4  # steps to skip first, to measure an unwatched step
LONGEST: Final = 500_000_000  # ns without a step that is watched
MOST: Final = 1000  # steps to skip in one stretch
GROWTH: Final = 4  # a stretch is at most this many times as long as the previous one
# without a step for so many seconds, and for the time of so many steps, the training
# has ended
ENDED: Final = 0.3
ENDED_STEPS: Final = 2
SOON: Final = 0.2  # seconds that a pause waits for the end of a step
RATE: Final = 20_000  # records a second outside steps, beyond which they are skipped
STRETCH: Final = 1_000_000_000  # ns for which operations outside steps are skipped
PARTLY: Final = "many operations outside training steps: watched in part"
NAMES: Final = 4  # marks of one name that end a stretch

Record = tuple[Any, ...]


class _Average:
    """A moving average, clipped so that one slow step changes it little."""

    def __init__(self) -> None:
        self.value = 0.0

    def add(self, value: float) -> float:
        """Add a value, limited to 3 times the average; return what was added."""
        before = self.value or value
        value = min(value, 3 * before)
        self.value = 0.7 * before + 0.3 * value
        return value


class StepThrottle:
    """Lets the recorders of open views skip steps, to bound the cost of watching.

    Meanwhile it listens to marks alone, such as the ends of training steps.

    Attributes:
        skipping: the present step is not watched.
        watched, missed: training steps while there were recorders.
        every: k while 1 of k steps is watched; 1 after the last step.
        latest: the number of the latest watched step, -1 for none.
        partly: whether operations outside steps were skipped, since the cell began.
        budget: what views may cost; whoever spends it elsewhere charges it there.

    Example:
        >>> throttle = StepThrottle()
        >>> throttle.skipping, throttle.every
        (False, 1)
    """

    def __init__(self, clock: Callable[[], int] = time.thread_time_ns) -> None:
        self.skipping = False
        self.watched = self.missed = 0
        self.every = 1
        self.latest = -1
        self.budget = WatchBudget()
        self._clock = clock
        self._members: list[events.Subscription] = []
        self._listening: events.Subscription | None = None
        self._allocations: MissedAllocations | None = None
        self._lock = threading.RLock()
        self._held = 0
        self._begin()

    def _begin(self) -> None:
        """Reset at the start of a training: nothing is known of its steps."""
        self._first, self._free = FIRST, FREE
        self._left = 0  # steps still to skip
        self._length = 0  # of the last stretch of skipped steps
        self._thread = 0
        self._since = self._latest = 0
        self._cost, self._switch = _Average(), 0  # of a watched step, of resuming
        self._plain = _Average()
        self._noted = self._warned = False
        self._names: dict[str, int] = {}
        self.partly = False
        self._until = 0  # when watching operations outside steps continues
        self._began = time.perf_counter_ns()
        self._counted = 0, 0  # when records were counted last, and the number
        self._looked = 0  # when the budget was last advanced
        self.budget.clear()

    # ---- members

    def join(self, recorder: Recorder) -> None:
        """Let an open recorder skip steps with the others from its next step on."""
        subscription = recorder.subscription
        if subscription is None or not recorder.can_skip_steps:
            return
        with self._lock:
            self.resume()
            self._begin()
            self._members = [m for m in self._members if m.open]
            self._members.append(subscription)
            self._listen()

    def leave(self, recorder: Recorder) -> None:
        """Remove a recorder that closes or is to receive every step."""
        with self._lock:
            self.flush()
            mine = recorder.subscription
            self._members = [m for m in self._members if m.open and m is not mine]
            if mine is not None and mine.paused:
                events.pause([mine], False)
            if not self._members:
                self._stop()
            else:
                self._listen()

    def _listen(self) -> None:
        """Listen to marks, after the members in order."""
        if self._listening is not None:
            self._listening.close()
        roots = any("root" in m.kinds for m in self._members)
        kinds = ("mark", "root") if roots else ("mark",)
        self._listening = events.listen(
            "inspect.throttle", self._handle, kinds=kinds, guard=self._failed
        )

    def _stop(self) -> None:
        self.skipping, self.every = False, 1
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()

    def _failed(self, error: Exception) -> bool:
        """Watch everything after an error."""
        with self._lock:
            members, self._members = self._members, []
            self._stop()
            events.pause(members, False)
        return True

    # ---- steps

    def _handle(self, record: Record) -> None:
        if record[KIND] == "root":
            self._check_loss(record)
        elif record[MARK_CONTROL] != "step":
            self._marked(record)
        elif record[MARK_WHAT] == "end":
            self._latest = record[START]
            if not self.skipping:
                self._watched_ended(record)
            else:
                self.missed += 1
                self._left -= 1
                if self._left <= 0 or self._held or record[THREAD] != self._thread:
                    self.resume()

    def _watched_ended(self, record: Record) -> None:
        now = self._clock()
        self.watched += 1
        self.latest = record[STEP]
        alone, self._thread = record[THREAD] == self._thread, record[THREAD]
        cost = self._cost.add(now - self._since) if alone and self._since else 0.0
        self._first -= 1
        self._free -= now - self._since if alone and self._since else 0
        self.budget.advance(now - self._looked if alone and self._looked else 0)
        self._looked = now
        if self._first <= 0 and self._free <= 0 and alone and not self._held:
            steps = self._steps_to_skip(cost)
            if steps:
                self._skip(steps)
                self._switch = self._clock() - now
        if not self.skipping:
            self.every = 1
        self._since = self._clock()

    def _steps_to_skip(self, cost: float) -> int:
        """The number of steps to skip after a watched one to stay within the budget."""
        plain = self._plain.value
        if not plain:
            return 1 if self._cost.value > LONG else TRIAL
        budget = plain * (LONG_BUDGET if plain > LONG else self.budget.left)
        extra = cost + self._switch - plain
        if extra <= budget:
            return 0
        steps = math.ceil(extra / budget) - 1
        most = min(MOST, LONGEST // plain, GROWTH * max(self._length, TRIAL))
        return int(max(1, min(steps, most)))

    def _skip(self, steps: int) -> None:
        """Stop watching for some steps."""
        with self._lock:
            members = [m for m in self._members if m.open]
            self._allocations = self._count(members)
            if self._allocations is not None and self._allocations.on_gpu():
                return  # GPU memory is followed in every step
            self._left = self._length = steps
            self.every = steps + 1
            self._mark_skipping(members, "begin", self._latest)
            events.pause(members, True)
            self.skipping = True

    def _count(self, members: list[events.Subscription]) -> MissedAllocations | None:
        """The tracker of missed allocations if a recorder needs one, else None."""
        if not any("alloc" in m.kinds for m in members):
            return None
        allocations = self._allocations if self._noted else None
        if allocations is None:
            allocations = MissedAllocations()
            allocations.note_existing()
            self._noted = True
        allocations.begin()
        return allocations

    def resume(self) -> None:
        """Watch again."""
        with self._lock:
            if not self.skipping:
                return
            now = self._clock()
            skipped = self._length - max(0, self._left)
            if skipped and threading.get_ident() == self._thread:
                self._plain.add((now - self._since) / skipped)
            self._resume()
            self._since, self._until = now, 0

    def _resume(self) -> None:
        """Watch again, and send the members the allocations that they missed."""
        members = [m for m in self._members if m.open]
        self.skipping = False
        events.pause(members, False)
        if self._allocations is not None:
            try:
                self._send_missed(self._allocations, members)
            except Exception as error:  # noqa: BLE001 (it must never hurt the training)
                self._failed(error)
        self._mark_skipping(members, "end")

    def _send_missed(
        self, allocations: MissedAllocations, members: list[events.Subscription]
    ) -> None:
        for change in allocations.changes():
            for member in members:
                member.send(change)
        allocations.announce_new()

    def flush(self) -> None:
        """Send the members the allocations they missed, and continue skipping."""
        with self._lock:
            if self.skipping:
                self._resume()
                members = [m for m in self._members if m.open]
                if not members:
                    return
                if self._allocations is not None:
                    self._allocations.begin()
                self._mark_skipping(members, "begin")
                events.pause(members, True)
                self.skipping = True

    def _mark_skipping(
        self, members: list[events.Subscription], what: str, at: int = 0
    ) -> None:
        now, thread = at or events.clock(), events.thread_local.state.thread
        head = "mark", events.next_number(), now, 0, thread, events.step
        for member in members:
            member.send((*head, SKIP_MARK, what, SKIP_MARK))

    # ---- reasons to resume

    def _marked(self, record: Record) -> None:
        """Watch again when a cell begins or ends, or the program sets a mark."""
        name = str(record[MARK_NAME])
        if record[MARK_CONTROL] == "idle":
            self._resume_for(record)
            self.every = 1
            if record[MARK_WHAT] == "end":
                with self._lock:
                    self._begin()
        elif self.skipping and self._names.setdefault(name, 0) < NAMES:
            self._names[name] += 1
            self._resume_for(record)

    def _resume_for(self, record: Record) -> None:
        if self.skipping:
            self.resume()
            for member in self._members:
                member.send(record)

    def _check_loss(self, record: Record) -> None:
        """Report a non-finite loss, and watch the next steps."""
        if self.skipping and not self._warned and not math.isfinite(record[ROOT_VALUE]):
            self._warned = True
            for member in self._members:
                member.send(record)
            self._left, self._first = 1, FIRST

    def hold(self) -> None:
        """Skip no steps until `release()`: the user is single-stepping."""
        self._held += 1
        if self.skipping:
            timer = threading.Timer(SOON, self.resume)
            timer.daemon = True
            timer.start()

    def release(self) -> None:
        """Allow skipping again."""
        self._held = max(0, self._held - 1)

    @property
    def training(self) -> bool:
        """Whether a step has ended lately, as far as views that skip steps know.

        Watching must not continue in the middle of a long step: a view would show the
        second half of a model for the whole.
        """
        steps = ENDED_STEPS * max(self._plain.value, self._cost.value)
        return time.perf_counter_ns() - self._latest <= max(ENDED * 1e9, steps)

    def check_idle(self) -> None:
        """Watch again if no step has ended lately; called periodically.

        Outside steps this is where watching stops and continues.
        """
        if self.skipping and not self.training:
            if time.perf_counter_ns() >= self._until:
                self.resume()
                self.every = 1
                self._exceeds_rate()  # begins to count
        elif not self.skipping and self._exceeds_rate():
            with self._lock:
                self._skip(1)  # until the end of a step, or of the stretch
                self.every = 1
                if self.skipping:
                    self.partly = True
                    self._until = time.perf_counter_ns() + STRETCH

    def _exceeds_rate(self) -> bool:
        """Whether records outside steps have come too fast since the last call.

        They are counted by their numbers, of which each call takes one.
        """
        now, number = time.perf_counter_ns(), events.next_number()
        (then, before), self._counted = self._counted, (now, number)
        if self._held or self.training or not then or now - self._began < FREE:
            return False
        return (number - before) * 1e9 > RATE * (now - then)


def throttle_note(every: int, watched: int, ended: int, latest: int) -> str:
    """A note about the steps that a view has not watched; "" if there are none.

    Args:
        every: of how many steps one is watched, while steps follow; then 1.
        watched, ended: steps so far.
        latest: the number of the latest that was watched.

    Example:
        >>> throttle_note(4, 20, 20, 19), throttle_note(1, 7, 7, 6)
        ('watching 1 of 4 steps', '')
        >>> throttle_note(1, 40, 100, 97)
        '40 of 100 steps were watched, the latest is step 97'
    """
    if every > 1:
        return f"watching 1 of {_about(every)} steps"
    if watched >= ended:
        return ""
    words = f"{watched:,} of {ended:,} steps were watched"
    return words if latest >= ended - 1 else f"{words}, the latest is step {latest:,}"


def _about(number: int) -> str:
    """A rounded number that does not change with every update of a view.

    Example:
        >>> _about(7), _about(33), _about(518)
        ('7', 'about 35', 'about 520')
    """
    if number < 10:
        return str(number)
    unit = 5 if number < 100 else 20
    return f"about {unit * round(number / unit)}"


throttle = StepThrottle()
