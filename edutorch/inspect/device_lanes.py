"""The activity of each device and the waits between them: DeviceLanes's recorder.

Times are measured by this computer's clock. A simulated GPU computes on the CPU; for a
real one, the time is that of launching an op.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from .. import events, memory_events
from ..backends import gpus
from .event_fields import (
    BWD_DEVICE,
    BWD_NAME,
    BWD_NODE,
    DURATION,
    KIND,
    MARK_CONTROL,
    MARK_NAME,
    MARK_WHAT,
    MOD_CALL,
    MOD_MODEL,
    MOD_PATH,
    MOD_WHAT,
    OOM_DEVICE,
    OOM_NBYTES,
    OP_CALL,
    OP_CLS,
    OP_DEVICE,
    OP_NAME,
    OP_NODE,
    OP_PHASE,
    SPAN_DEVICE,
    SPAN_NAME,
    SPAN_WHAT,
    START,
    STEP,
    THREAD,
    XFER_NBYTES,
    XFER_PURPOSE,
    XFER_SOURCE,
    XFER_TARGET,
)
from .lane_data import Transfer, lanes_data
from .lane_memory import LaneMemory
from .lane_times import NOWHERE, Bar, LaneTimes, ModulePath
from .model_names import ModelNames
from .pausable_clock import PAUSES, PausableClock
from .recorder import Recorder
from .rotating_table import RotatingTable
from .simulated_lanes import simulated_lanes

__all__ = ["LanesRecorder"]

BARS = 3000  # ops that are shown
BATCH = 256  # bars that are moved to the totals together
TRANSFERS = 400
SPANS = 400
Record = tuple[Any, ...]


class _Collector:
    """Keeps the newest bars, and sums over older ones."""

    def __init__(self) -> None:
        self.bars: deque[Bar] = deque()
        self.transfers: deque[Transfer] = deque(maxlen=TRANSFERS)
        self.spans: deque[tuple[int, int, str]] = deque(maxlen=SPANS)
        self.steps: deque[tuple[int, int]] = deque(maxlen=SPANS)
        self.full: deque[dict[str, Any]] = deque(maxlen=8)
        self.past_times: dict[str, LaneTimes] = {}  # totals of bars no longer held
        self.dropped = 0
        self.moved: dict[tuple[str, str], list[int]] = {}  # transfers and their bytes
        self.begun = self.until = 0
        self.memory = LaneMemory()
        self.first_step = 0
        self.rev = 0
        self.lock = threading.RLock()
        self._clock = PausableClock()
        self.models = ModelNames()
        self._paths: RotatingTable[ModulePath] = RotatingTable()  # by call
        self._modules: RotatingTable[ModulePath] = RotatingTable()  # by node
        self._pending: dict[int, list[Transfer]] = {}  # of the running op, by thread
        self._arrived: dict[str, str] = {}  # source of the last transfer to a device
        self._open: dict[tuple[int, str], int] = {}  # marks that have not ended
        self._takers = {
            "op": self._op,
            "bwd": self._bwd,
            "xfer": self._xfer,
            "mark": self._mark,
            "oom": self._oom,
            "span": self._span,
            "mod": self._mod,
            "alloc": self.memory.alloc,
            "free": self.memory.free,
        }

    def handle(self, record: Record) -> None:
        """Handle one record."""
        take = self._takers.get(record[KIND])
        if take is not None:
            with self.lock:
                take(record)
                self.rev += 1

    def _mod(self, record: Record) -> None:
        if record[MOD_WHAT] == "enter":
            self.models.hear(record)
            self._paths[record[MOD_CALL]] = record[MOD_MODEL], record[MOD_PATH]

    def _op(self, record: Record) -> None:
        module = self._paths.get(record[OP_CALL], NOWHERE)
        if record[OP_NODE]:
            self._modules[record[OP_NODE]] = module
        name, phase = record[OP_NAME], record[OP_PHASE]
        if record[OP_CLS] == "ToDevice":
            name, phase = "to", "copy"
        self._bar(record, record[OP_DEVICE], name, module, phase)

    def _bwd(self, record: Record) -> None:
        name, device, phase = record[BWD_NAME], record[BWD_DEVICE], "backward"
        came = self._pending.get(record[THREAD])
        if came and name.startswith("ToCopy") and came[-1].start >= record[START]:
            device, phase = came[-1].target, "copy"  # the copy of a gradient
        module = self._modules.get(record[BWD_NODE], NOWHERE)
        self._bar(record, device, name, module, phase)

    def _span(self, record: Record) -> None:
        """Add a bar for an optimizer's update, which is not an op."""
        device = record[SPAN_DEVICE]
        if record[SPAN_WHAT] == "optim" and device:
            name = str(record[SPAN_NAME]).rpartition("#")[2]
            self._bar(record, device, name, NOWHERE, "optim")

    def _bar(
        self,
        record: Record,
        device: str,
        name: str,
        module: ModulePath,
        phase: str,
    ) -> None:
        thread = record[THREAD]
        start = self._clock.read(record[START])
        end = start + record[DURATION]
        for transfer in self._pending.pop(thread, ()):
            if start <= transfer.start:  # at the op's start, or after another
                transfer.start, start = start, transfer.end
        if not device:  # a failed op
            return
        start = end - record[DURATION]
        self.memory.add_device(device)
        source = self._arrived.pop(device, "")
        self._keep(Bar(start, end, device, name, module, phase, thread, source))

    def _keep(self, bar: Bar) -> None:
        self._extend_range(bar.start, bar.end)
        self.bars.append(bar)
        if len(self.bars) >= BARS + BATCH:
            self.dropped += BATCH
            self._sum_dropped(sorted(self.bars.popleft() for _ in range(BATCH)))

    def _sum_dropped(self, leaving: list[Bar]) -> None:
        for device in {bar.device for bar in leaving}:
            known = self.past_times.setdefault(device, LaneTimes(self.begun))
            known.add(bar for bar in leaving if bar.device == device)

    def _extend_range(self, start: int, end: int) -> None:
        """Extend the range of time shown to include an event."""
        if not self.until:
            self.begun = start
        if not self.past_times:
            self.begun = min(self.begun, start)
        self.until = max(self.until, end)

    def _xfer(self, record: Record) -> None:
        source, target = record[XFER_SOURCE], record[XFER_TARGET]
        purpose, nbytes = record[XFER_PURPOSE], record[XFER_NBYTES]
        start = self._clock.read(record[START])
        end = start + record[DURATION]
        transfer = Transfer(start, end, source, target, nbytes, purpose)
        for device in (source, target):
            self.memory.add_device(device)
        self._extend_range(start, end)
        self.transfers.append(transfer)
        self._pending.setdefault(record[THREAD], []).append(transfer)
        self._arrived[target] = source
        sums = self.moved.setdefault((source, target), [0, 0])
        sums[0] += 1
        sums[1] += nbytes

    def _mark(self, record: Record) -> None:
        name, what = str(record[MARK_NAME]), record[MARK_WHAT]
        control = record[MARK_CONTROL]
        if control in PAUSES:
            self._clock.pause(what, record[START])
            return
        ns = self._clock.read(record[START])
        key = record[THREAD], name
        if control == "step":
            self.steps.append((ns, record[STEP] - self.first_step))
            self._paths.rotate()
            self._modules.rotate()
        elif what == "begin":
            self._open[key] = ns
            _drop_older_half(self._open)
        elif what == "end" and key in self._open:
            self.spans.append((self._open.pop(key), ns, name))

    def _oom(self, record: Record) -> None:
        """Record that an allocation on a device has failed."""
        ns, device = self._clock.read(record[START]), record[OOM_DEVICE]
        wanted = record[OOM_NBYTES]
        self.memory.add_device(device)
        self._extend_range(ns, ns)
        held = self.memory.of(device)
        self.full.append({"at": ns, "device": device, "wanted": wanted} | held)

    def open_spans(self) -> list[tuple[int, int, str]]:
        """The phases that have begun but not ended."""
        return [(ns, max(ns, self.until), name) for (_, name), ns in self._open.items()]


def _drop_older_half(table: dict[Any, Any]) -> None:
    """Drop the older half of a table with more than `SPANS` entries."""
    if len(table) > SPANS:
        for key in list(table)[: SPANS // 2]:
            del table[key]


class LanesRecorder(Recorder):
    """Records ops, transfers and memory of every device over time (level 1).

    The newest 3000 ops, 400 transfers and 400 phases are kept; sums include all. An op
    that is still running after 3000 others is counted from then on. An
    optimizer's update is shown as an op, if its parameters lie on one device.

    Args:
        simulated: show the newest 3000 jobs of each simulated GPU by its own clock,
            while there are simulated GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=2), LanesRecorder() as lanes:
        ...     x = torch.ones(256).to("cuda:0").relu().to("cuda:1")
        ...     series = lanes.series()
        >>> [lane["device"] for lane in series["lanes"]]
        ['cpu', 'cuda:0', 'cuda:1']
        >>> series["lanes"][2]["received"]
        {'count': 1, 'bytes': 1024}
    """

    kinds = ("op", "bwd", "xfer", "mark", "oom", "mod", "span", "alloc", "free")

    def __init__(self, name: str = "inspect.lanes", simulated: bool = False) -> None:
        self._since = 0.0  # in simulated time
        self._simulated = simulated
        collector = self._collected = _Collector()
        super().__init__(name, collector, level=1)

    def _started(self, subscription: events.Subscription) -> None:
        self._collected.first_step = events.step
        found = gpus.simulated_now()
        self._since = 0.0 if found is None else found.host.now
        self._collected.memory.live = True
        for record in memory_events.live_allocations():
            self._collected.memory.alloc(record)

    def close(self) -> None:
        """Stop listening, after counting the memory freed so far."""
        if self.is_open:
            memory_events.drain()
        super().close()

    @property
    def rev(self) -> int:
        """A number that increases with every record."""
        return self._collected.rev

    def replay(self, records: Any) -> LanesRecorder:
        """Add records stored elsewhere."""
        for record in records:
            if not self._collected.rev:
                self._collected.first_step = record[STEP]
            self._collected.handle(record)
        return self

    def series(self) -> dict[str, Any]:
        """The lanes as JSON-ready data; see `widgets.DeviceLanes`."""
        if self.is_open:
            memory_events.drain()
        with self._collected.lock:  # training may continue meanwhile
            found = gpus.simulated_now() if self._simulated else None
            if found is not None:
                return simulated_lanes(self._collected, found, self._since)
            return lanes_data(self._collected)
