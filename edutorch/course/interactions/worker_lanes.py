"""Loader workers and a trainer over time.

The same as `widgets/src/course/worker_schedule.ts`, where a reader moves the settings.
All times are whole milliseconds, so both are equal to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...widgets.box_style import BAD, MUTED, TEXT
from ...widgets.svg import Picture
from .interaction import Interaction

__all__ = ["BATCHES", "Batch", "WorkerLanes", "facts", "lanes_at", "schedule"]

BATCHES = 16
SLOW_EVERY, SLOW_TIMES = 5, 4  # batches 4, 9, 14 take four times as long
LIMITS: Final = {"workers": (0, 6), "load": (10, 120), "step": (10, 120),
                 "prefetch": (1, 4)}  # fmt: skip
BLUE, GREEN, GRID = "#0072b2", "#00936b", "#e4e8ee"
WAITING: Final[dict[str, Any]] = {"fill": "#f6d5de", "stroke": BAD, "dash": "3 2"}
LEFT, RIGHT, TOP, HIGH = 84, 628, 92, 30


@dataclass(frozen=True)
class Batch:
    """The times, in ms, at which a batch is loaded, taken and trained on.

    Attributes:
        worker: who makes it; -1 for the trainer itself.
        begin: the worker begins it.
        ready: it is made.
        free: the trainer has nothing else to do.
        taken: the trainer takes it.
        done: its training step has ended.
    """

    worker: int
    begin: int
    ready: int
    free: int
    taken: int
    done: int


def schedule(
    workers: int, load: int, step: int, prefetch: int = 2, slow: bool = False
) -> list[Batch]:
    """All batches of an epoch.

    Batch k is made by worker k % workers. Each worker prepares up to `prefetch` batches
    at first; when the trainer takes one, the loader asks for one more.

    Args:
        workers: the number of workers; with 0, the trainer loads.
        load: ms to make a batch.
        step: ms of a training step.
        prefetch: batches that each worker makes ahead of time.
        slow: every fifth batch takes four times as long.

    Example:
        >>> schedule(1, load=60, step=20)[1]
        Batch(worker=0, begin=60, ready=120, free=80, taken=120, done=140)
    """
    made: list[Batch] = []
    for k in range(BATCHES):
        late = slow and k % SLOW_EVERY == SLOW_EVERY - 1
        takes = load * (SLOW_TIMES if late else 1)
        free = made[-1].done if made else 0
        if workers == 0:
            begin = free
        else:
            ahead = workers * prefetch
            requested = made[k - ahead].taken if k >= ahead else 0
            begin = max(requested, made[k - workers].ready if k >= workers else 0)
        ready = begin + takes
        taken = max(free, ready)
        worker = k % workers if workers else -1
        made.append(Batch(worker, begin, ready, free, taken, taken + step))
    return made


def facts(made: Sequence[Batch]) -> tuple[str, str]:
    """The duration, the trainer's waiting time, and who waits for whom.

    Example:
        >>> facts(schedule(3, load=60, step=20))[1]
        'After the first batch it never waits.'
    """
    total, first = made[-1].done, made[0].ready
    waits = sum(b.taken - b.free for b in made)
    percent = (200 * waits + total) // (2 * total)
    alone = made[0].worker < 0
    beside = "" if alone else f" ({_without_workers(made)} ms without workers)"
    summary = (
        f"{total} ms for {len(made)} batches{beside}: the trainer "
        f"{'loads' if alone else 'waits'} {waits} ms, {percent}% of the time."
    )
    if alone:
        return summary, "It loads each batch itself, and does not train meanwhile."
    later = waits - first
    stored = _most_stored(made)
    if later == 0:
        return summary, "After the first batch it never waits."
    store = f"At most {stored} {'batch is' if stored == 1 else 'batches are'} ready."
    return summary, f"{first} ms of it for the first batch, {later} ms later. {store}"


def _without_workers(made: Sequence[Batch]) -> int:
    """The duration without workers: all loading and all steps."""
    return sum(b.ready - b.begin + b.done - b.taken for b in made)


def _most_stored(made: Sequence[Batch]) -> int:
    """The largest number of batches that were ready but not taken."""
    return max(sum(b.ready <= a.taken <= b.taken for b in made) for a in made)


def moments(made: Sequence[Batch]) -> list[int]:
    """All times at which something starts or ends."""
    return sorted({0} | {t for b in made for t in (b.begin, b.ready, b.taken, b.done)})


def lanes_at(made: Sequence[Batch], at: int) -> list[str]:
    """What the trainer and each worker are doing at a moment.

    Example:
        >>> lanes_at(schedule(2, load=60, step=20), 70)
        ['trains with batch 0', 'makes batch 2', 'makes batch 3; ready: 1']
    """
    lanes = [_trainer_at(made, at)]
    for worker in range(max(b.worker for b in made) + 1):
        mine = [(k, b) for k, b in enumerate(made) if b.worker == worker]
        now = [k for k, b in mine if b.begin <= at < b.ready]
        store = [str(k) for k, b in mine if b.ready <= at < b.taken]
        if now:
            words = f"makes batch {now[0]}"
        elif all(b.ready <= at for _, b in mine):
            words = "has made its last batch"
        else:
            words = "waits for a request"
        lanes.append(words + (f"; ready: {', '.join(store)}" if store else ""))
    return lanes


def _trainer_at(made: Sequence[Batch], at: int) -> str:
    for k, b in enumerate(made):
        if b.taken <= at < b.done:
            return f"trains with batch {k}"
        if b.free <= at < b.taken:
            return f"{'loads' if b.worker < 0 else 'waits for'} batch {k}"
    return "is done"


class WorkerLanes(Interaction):
    """Lanes of a loader's workers and of the trainer, with waiting times.

    In the page a reader moves the settings, and goes through time step by step.

    Args:
        workers: 0 to 6.
        load: ms to make a batch, 10 to 120.
        step: ms of a training step, 10 to 120.
        prefetch: batches that each worker makes ahead of time, 1 to 4.
        slow: every fifth batch takes four times as long.

    Raises:
        ValueError: for a setting that the page does not have.

    Example:
        >>> print(WorkerLanes(workers=3, load=60, step=20).text().splitlines()[2])
        After the first batch it never waits.
    """

    kind: ClassVar[str] = "worker_lanes"

    def __init__(
        self,
        workers: int = 1,
        load: int = 60,
        step: int = 20,
        prefetch: int = 2,
        slow: bool = False,
    ) -> None:
        data: dict[str, Any] = {
            "workers": workers, "load": load, "step": step, "prefetch": prefetch,
        }  # fmt: skip
        for name, (low, high) in LIMITS.items():
            if data[name] not in range(low, high + 1):
                raise ValueError(
                    f"{name} is a whole number from {low} to {high}, got {data[name]!r}"
                )
        super().__init__(data={**data, "slow": bool(slow)})

    def picture(self, note: str = "") -> Picture:
        """A lane for the trainer and for each worker."""
        made = schedule(**self.data)
        lanes = self.data["workers"] + 1
        picture = Picture(644, TOP + HIGH * lanes + 46, "Workers and trainer over time")
        caption = self._caption() + (f" ({note})" if note else "")
        picture.text(16, 22, caption, bold=True, size=13)
        for i, line in enumerate(facts(made)):
            picture.text(16, 42 + 18 * i, line, size=12)
        span = _without_workers(made)  # so that lanes show what workers save
        _draw_axis(picture, span, TOP + HIGH * lanes)
        for k, b in enumerate(made):
            _draw_batch(picture, k, b, span)
        names = ["trainer", *(f"worker {w}" for w in range(lanes - 1))]
        for i, name in enumerate(names):
            at = TOP + HIGH * i + 18
            picture.text(LEFT - 8, at, name, size=11, fill=TEXT, anchor="end")
        _draw_key(picture, TOP + HIGH * lanes + 38, self.data["workers"])
        return picture

    def text(self) -> str:
        """The times of every batch."""
        made = schedule(**self.data)
        lines = [self._caption(), *facts(made)]
        lines.append("batch  worker  begun  ready  taken  waited")
        for k, b in enumerate(made):
            who = "-" if b.worker < 0 else str(b.worker)
            times = f"{b.begin:5}  {b.ready:5}  {b.taken:5}  {b.taken - b.free:6}"
            lines.append(f"{k:5}  {who:>6}  {times}")
        return "\n".join(lines)

    def _caption(self) -> str:
        d = self.data
        slow = ", every fifth is slow" if d["slow"] else ""
        plural = "" if d["workers"] == 1 else "s"
        return (
            f"{d['workers']} worker{plural}, {d['load']} ms to load a batch{slow}, "
            f"{d['step']} ms a step, prefetch factor {d['prefetch']}."
        )


def _draw_axis(picture: Picture, span: int, foot: float) -> None:
    gap = next(g for g in (50, 100, 200, 500, 1000, 2000) if span <= 8 * g)
    for t in range(0, span + 1, gap):
        x = LEFT + (RIGHT - LEFT) * t / span
        picture.line([(x, TOP - 4), (x, foot)], stroke=GRID)
        words = f"{t} ms" if t == 0 else str(t)
        picture.text(x, foot + 14, words, size=10, fill=MUTED, anchor="middle")


def _draw_batch(picture: Picture, k: int, b: Batch, span: int) -> None:
    def bar(begin: int, end: int, lane: int, colour: str, words: str) -> None:
        if begin == end:
            return
        left = LEFT + (RIGHT - LEFT) * begin / span
        wide = (RIGHT - LEFT) * (end - begin) / span
        top = TOP + HIGH * lane
        look = WAITING if colour == BAD else {"fill": colour}
        picture.rect(left, top + 3, max(wide - 1, 1), HIGH - 8, **look)
        if words and wide > 7 * len(words) + 3:
            middle = left + wide / 2
            picture.text(
                middle, top + 18, words, size=10, fill="#ffffff", anchor="middle"
            )

    alone = b.worker < 0
    bar(b.free, b.taken, 0, BLUE if alone else BAD, str(k) if alone else "")
    bar(b.taken, b.done, 0, GREEN, str(k))
    if not alone:
        bar(b.begin, b.ready, b.worker + 1, BLUE, str(k))


def _draw_key(picture: Picture, at: float, workers: int) -> None:
    names = [(BLUE, "makes a batch"), (GREEN, "trains"), (BAD, "waits")]
    for i, (colour, name) in enumerate(names[: 3 if workers else 2]):
        left = LEFT + 120 * i
        look = WAITING if colour == BAD else {"fill": colour}
        picture.rect(left, at - 9, 10, 10, **look)
        picture.text(left + 15, at, name, size=11, fill=TEXT)
