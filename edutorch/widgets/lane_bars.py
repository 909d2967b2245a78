"""The visible bars of a lane, and a text summary of the lane.

`widgets/src/lane_bars.ts` does the same in the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..inspect.lane_times import common_module
from .format import percent, size_text

__all__ = ["Drawn", "busy_text", "drawn_bars", "lane_facts"]

TINY, NEAR = 3.0, 1.5  # pixels of a bar, and between two, that are seen as one


@dataclass
class Drawn:
    """An op, or several that are too small to distinguish; times in microseconds.

    Attributes:
        start, end: where it is drawn.
        busy: the time of its ops.
        count: of them, with those inside.
        name: "" where they differ.
        module: the innermost that holds all.
        phase: the same for all.
        row: within the lane.
        source: the device that had sent before the first of them.
        tiny: whether another small one may join it.
    """

    start: float
    end: float
    busy: float
    count: int
    name: str
    module: str
    phase: str
    row: int
    source: str
    tiny: bool


def drawn_bars(bars: list[list[Any]], texts: list[str], pixel: float) -> list[Drawn]:
    """The bars of a lane at a scale.

    Small ones that follow each other in the same phase become one; a new module begins
    a new one, unless the last one is itself too small to see.

    Args:
        bars: of a lane, as `edutorch.inspect.LanesRecorder` has them.
        texts: the texts that their numbers denote.
        pixel: its microseconds.
    """
    found: list[Drawn] = []
    last: dict[int, Drawn] = {}  # by row
    for start, length, *numbers, _, row, inside, source in bars:
        name, module, phase = (texts[n] for n in numbers)
        end, tiny, before = start + length, length < TINY * pixel, last.get(row)
        if before is not None and tiny and _joins(before, start, module, phase, pixel):
            before.end = max(before.end, end)
            before.busy += length
            before.count += 1 + inside
            before.name = name if before.name == name else ""
            before.module = common_module(before.module, module)
        else:
            kind, place = (name, module, phase), (row, texts[source])
            last[row] = Drawn(start, end, length, 1 + inside, *kind, *place, tiny)
            found.append(last[row])
    return found


def _joins(bar: Drawn, start: float, module: str, phase: str, pixel: float) -> bool:
    near = bar.tiny and start - bar.end < NEAR * pixel
    small = bar.end - bar.start < TINY * pixel
    return near and bar.phase == phase and (small or bar.module == module)


def lane_facts(lane: dict[str, Any]) -> list[str]:
    """A device's utilisation, received bytes and memory, as text.

    Example:
        >>> lane_facts({"ops": 3, "busy": 62.0, "idle": 38.0,
        ...     "received": {"count": 2, "bytes": 2048},
        ...     "memory": {"now": 512, "peak": 1024, "limit": None}})
        ['busy 62%, idle 38%', 'received 2.0 KB in 2 transfers', \
'512 B held, peak 1.0 KB']
    """
    share = lane["busy"] / max(lane["busy"] + lane["idle"], 1e-9)
    came, memory = lane["received"], lane["memory"]
    plural = "" if came["count"] == 1 else "s"
    moved = f"{size_text(came['bytes'])} in {came['count']} transfer{plural}"
    limit = memory["limit"]
    of = "" if limit is None else f" of {size_text(limit)}"
    held = f"{size_text(memory['now'])} held, peak {size_text(memory['peak'])}{of}"
    return [
        busy_text(share) if lane["ops"] else "no ops",
        f"received {moved}" if came["count"] else "received nothing",
        held,
    ]


def busy_text(share: float) -> str:
    """The busy and the idle share; together they are 100%.

    Example:
        >>> busy_text(0.384), busy_text(0.002)
        ('busy 38%, idle 62%', 'busy <1%, idle >99%')
    """
    busy = percent(share)
    exact = busy.removesuffix("%")
    idle = f"{100 - int(exact)}%" if exact.isdigit() else percent(1 - share)
    return f"busy {busy}, idle {idle}"
