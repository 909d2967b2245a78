"""Lanes as JSON: bars in rows, transfers, phases, and totals for each device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .lane_times import Bar, LaneTimes, rows_of

__all__ = ["Transfer", "lanes_data"]

ROWS = 4  # of bars in one lane, where threads work side by side


@dataclass
class Transfer:
    """Bytes sent from one device to another, with times in nanoseconds."""

    start: int
    end: int
    source: str
    target: str
    nbytes: int
    purpose: str


class _Index:
    """Numbers texts, so that each is sent only once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._known: dict[str, int] = {}

    def of(self, text: Any) -> int:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = len(self.texts)
            self.texts.append(str(text))
        return found


def lanes_data(collected: Any) -> dict[str, Any]:
    """The data of a recorder in the form that `widgets.DeviceLanes` shows."""
    bars = sorted(collected.bars)
    begun, until = collected.begun, collected.until
    shown = begun
    if collected.dropped and bars:
        shown = bars[0].start
    texts, threads = _Index(), _Index()

    def us(ns: int) -> float:
        return round((ns - begun) / 1000, 1)

    seen = [t for t in collected.transfers if t.end >= shown]
    lanes = [
        _lane(collected, name, bars, texts, threads, us)
        for name in sorted(_devices(collected), key=_order)
    ]
    return {
        "v": 1,
        "rev": collected.rev,
        "step": collected.steps[-1][1] if collected.steps else 0,
        "from": us(shown),
        "to": us(until),
        "dropped": collected.dropped,
        "clock": _describe_clocks({lane["kind"] for lane in lanes}),
        "limits": _limits(collected, sum(lane["ops"] for lane in lanes)),
        "lanes": lanes,
        "transfers": [
            [us(t.start), us(t.end), t.source, t.target, t.nbytes, t.purpose]
            for t in seen
        ],
        "moved": [
            {"source": a, "target": b, "count": count, "bytes": nbytes}
            for (a, b), (count, nbytes) in sorted(collected.moved.items())
        ],
        "phases": _phases(collected, shown, us),
        "steps": [[us(ns), step] for ns, step in collected.steps if ns >= shown],
        "full": [f | {"at": us(f["at"])} for f in collected.full],
        "texts": texts.texts,
        "threads": len(threads.texts),
    }


def _devices(collected: Any) -> set[str]:
    """The devices that compute, send, receive or ran out of memory, and the CPU."""
    names = {bar.device for bar in collected.bars} | set(collected.past_times)
    names |= {end for pair in collected.moved for end in pair}
    names |= {f["device"] for f in collected.full}
    names |= collected.memory.names()
    return names


def _kind(collected: Any, name: str) -> str:
    usual = "no values" if name == "meta" else "GPU"
    return str(collected.memory.kinds.get(name, usual))


def _describe_clocks(kinds: set[str]) -> str:
    """A description of the meaning of the times."""
    words = []
    if "simulated GPU" in kinds:
        words.append(
            "Times are measured on this computer: simulated GPUs run on its CPU."
        )
    if "GPU" in kinds:
        words.append("GPU times are those at which this computer launched the work.")
    return " ".join(words)


def _limits(collected: Any, ops: int) -> str:
    """A note about data that is not shown."""
    if not collected.dropped:
        return ""
    return f"Shows the newest {len(collected.bars):,} ops; sums are of all {ops:,}."


def _order(name: str) -> tuple[bool, str, int]:
    kind, _, index = name.partition(":")
    return name != "cpu", kind, int(index or 0)


def _lane(
    collected: Any, name: str, bars: list[Bar], texts: _Index, threads: _Index, us: Any
) -> dict[str, Any]:
    mine = [bar for bar in bars if bar.device == name]
    past_times = collected.past_times.get(name)
    times = past_times.copy() if past_times else LaneTimes(collected.begun)
    times.add(mine)
    span = collected.until - collected.begun
    outer = _outermost(mine)
    rows = rows_of(((bar.start, bar.end) for bar, _ in outer), ROWS)
    return {
        "device": name,
        "kind": _kind(collected, name),
        "busy": round(times.busy / 1000, 1),
        "idle": round((span - times.busy) / 1000, 1),
        "ops": times.ops,
        "waited": [
            {"device": source, "us": round(ns / 1000, 1)}
            for source, ns in sorted(times.waited.items())
        ],
        "received": _sum(collected, 1, name),
        "sent": _sum(collected, 0, name),
        "memory": collected.memory.of(name),
        "rows": max(rows, default=0) + 1,
        # start, duration, name, module, phase, thread, row, nested ops, sending device
        "bars": [
            [
                us(bar.start),
                round((bar.end - bar.start) / 1000, 1),
                texts.of(bar.name),
                texts.of(collected.models.path(*bar.module)),
                texts.of(bar.phase),
                threads.of(bar.thread),
                row,
                inside,
                texts.of(bar.source),
            ]
            for (bar, inside), row in zip(outer, rows, strict=True)
        ],
    }


def _sum(collected: Any, end: int, name: str) -> dict[str, int]:
    sums = [n for pair, n in collected.moved.items() if pair[end] == name]
    return {"count": sum(n for n, _ in sums), "bytes": sum(b for _, b in sums)}


def _outermost(bars: list[Bar]) -> list[tuple[Bar, int]]:
    """The outermost bars of each thread, with the number nested in each."""
    found: list[list[Any]] = []
    last: dict[int, list[Any]] = {}  # by thread
    # of two bars that start together, the longer encloses the other
    for bar in sorted(bars, key=lambda bar: (bar.start, -bar.end)):
        around = last.get(bar.thread)
        if around is not None and bar.end <= around[0].end:
            around[1] += 1
        else:
            last[bar.thread] = [bar, 0]
            found.append(last[bar.thread])
    return [(bar, inside) for bar, inside in found]


def _phases(collected: Any, shown: int, us: Any) -> list[dict[str, Any]]:
    """The phases named by marks or transfers, in rows."""
    spans = [*collected.spans, *collected.open_spans()]
    named = {name for _, _, name in spans}
    spans += [s for s in _merge_transfers(collected.transfers) if s[2] not in named]
    spans = sorted(
        (s for s in spans if s[1] >= shown), key=lambda s: (s[0], -s[1], s[2])
    )
    rows = rows_of(((begin, end) for begin, end, _ in spans), ROWS)
    return [
        {"name": name, "from": us(max(begin, shown)), "to": us(end), "row": row}
        for (begin, end, name), row in zip(spans, rows, strict=True)
    ]


def _merge_transfers(transfers: Any) -> list[tuple[int, int, str]]:
    """Merge consecutive transfers for the same purpose, such as "scatter"."""
    spans: list[list[Any]] = []
    for t in transfers:
        if spans and spans[-1][2] == t.purpose:
            spans[-1][1] = max(spans[-1][1], t.end)
        else:
            spans.append([t.start, t.end, t.purpose])
    return [(begin, end, purpose) for begin, end, purpose in spans if purpose != "copy"]
