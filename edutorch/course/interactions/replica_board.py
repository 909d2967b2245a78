"""Four replicas share a batch and average their gradients by a ring all-reduce.

The same as `widgets/src/course/replica_board.ts`. Rows are irises (sepal and petal,
length and width in cm), the target is the species, the model has four weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from ...widgets.box_style import GRADIENT, MUTED, TEXT
from ...widgets.svg import Picture
from .interaction import Interaction

__all__ = ["BATCH", "LAST", "Board", "ReplicaBoard", "board", "local_gradients"]

Row = tuple[float, float, float, float, float]  # four measures, and the target
BATCH: Final[tuple[Row, ...]] = (
    (5.1, 3.5, 1.4, 0.2, 0), (7.0, 3.2, 4.7, 1.4, 1), (6.3, 3.3, 6.0, 2.5, 2),
    (4.9, 3.0, 1.4, 0.2, 0), (6.4, 3.2, 4.5, 1.5, 1), (5.8, 2.7, 5.1, 1.9, 2),
    (4.7, 3.2, 1.3, 0.2, 0), (6.9, 3.1, 4.9, 1.5, 1), (7.1, 3.0, 5.9, 2.1, 2),
    (4.6, 3.1, 1.5, 0.2, 0), (5.5, 2.3, 4.0, 1.3, 1), (6.3, 2.9, 5.6, 1.8, 2),
)  # fmt: skip
RANKS: Final = 4
PART: Final = len(BATCH) // RANKS
WEIGHT: Final = 0.1  # the weights of all ranks before the step
LAST: Final = 8  # scatter, gradients, three steps and three, the mean
BLUE, GREEN, LINE = "#0072b2", "#00936b", "#8c96a5"
LEFT, TOP, WIDE, HIGH, GAP = 110, 96, 120, 40, 26


@dataclass(frozen=True)
class Board:
    """The tensors of the ranks after a step.

    Attributes:
        values: of each rank its four numbers; empty before there are gradients.
        parts: how many local gradients are in each of these numbers.
        sends: messages of this step, as (from, to, chunk).
        said: what has happened, in words.
    """

    values: list[list[float]]
    parts: list[list[int]]
    sends: list[tuple[int, int, int]]
    said: str


def local_gradients() -> list[list[float]]:
    """The gradient of half the mean squared error over the rows of each rank.

    Example:
        >>> [round(value, 3) for value in local_gradients()[0]]
        [2.805, 1.653, 1.083, 0.204]
    """
    found = []
    for rank in range(RANKS):
        sums = [0.0] * RANKS
        for *x, target in BATCH[rank * PART : (rank + 1) * PART]:
            error = WEIGHT * (x[0] + x[1] + x[2] + x[3]) - target
            for c in range(RANKS):
                sums[c] += error * x[c]
        found.append([value / PART for value in sums])
    return found


def board(step: int) -> Board:
    """The ranks after some steps, from 0 (the scattered batch) to 8 (the mean).

    Example:
        >>> board(2).sends
        [(0, 1, 0), (1, 2, 1), (2, 3, 2), (3, 0, 3)]
    """
    if step == 0:
        return Board([], [], [], "Scatter: each replica has 3 of the 12 rows.")
    values = local_gradients()
    parts = [[1] * RANKS for _ in range(RANKS)]
    sends: list[tuple[int, int, int]] = []
    for s in range(2, min(step, LAST - 1) + 1):
        sends = _pass_on(values, parts, s - 2)
    if step == 1:
        said = "Local gradients: four weights, four numbers, different at each replica."
    elif step == LAST:
        values, sends = [[v / RANKS for v in row] for row in values], []
        said = "Divided by 4: every replica has the gradient of one device, and steps."
    else:
        said = _caption(step, parts)
    return Board(values, parts, sends, said)


def _pass_on(
    values: list[list[float]], parts: list[list[int]], s: int
) -> list[tuple[int, int, int]]:
    """Perform one step of the ring in place and return its messages."""
    adds = s < RANKS - 1
    begin = 0 if adds else 1
    turn = s if adds else s - (RANKS - 1)
    sends = [(r, (r + 1) % RANKS, (r + begin - turn) % RANKS) for r in range(RANKS)]
    sent = [(values[r][c], parts[r][c]) for r, _, c in sends]
    for (_, to, c), (value, count) in zip(sends, sent, strict=True):
        values[to][c] = (values[to][c] if adds else 0) + value
        parts[to][c] = (parts[to][c] if adds else 0) + count
    return sends


def _caption(step: int, parts: list[list[int]]) -> str:
    ready = sum(count == RANKS for row in parts for count in row)
    if step <= RANKS:
        head = f"Reduce-scatter, step {step - 1} of 3: each adds what it receives."
    else:
        head = f"All-gather, step {step - 4} of 3: what each receives replaces its own."
    return f"{head} Complete: {ready} of 16."


class ReplicaBoard(Interaction):
    """A training step of four replicas: scatter, local gradients, ring all-reduce.

    In the page, the reader steps through it.

    Args:
        step: the initial step, from 0 to 8.

    Raises:
        ValueError: for another step.

    Example:
        >>> print(ReplicaBoard(2).text().splitlines()[0])
        Reduce-scatter, step 1 of 3: each adds what it receives. Complete: 0 of 16.
    """

    kind: ClassVar[str] = "replica_board"

    def __init__(self, step: int = 1) -> None:
        if not 0 <= step <= LAST:
            raise ValueError(f"step is from 0 to {LAST}, got {step}")
        super().__init__(data={"step": step, "batch": [list(row) for row in BATCH]})

    def picture(self, note: str = "") -> Picture:
        """A row per replica, a column per chunk, and the messages of the step."""
        made = board(self.data["step"])
        picture = Picture(620, 372, "Gradients of four replicas")
        title = f"Step {self.data['step']} of {LAST}" + (f" ({note})" if note else "")
        picture.text(16, 24, title, bold=True, size=13)
        picture.text(16, 46, made.said, size=12)
        for c in range(RANKS):
            x = LEFT + WIDE * c + 55
            picture.text(x, 72, f"chunk {c}", size=11, fill=MUTED, anchor="middle")
        for r in range(RANKS):
            _draw_rank(picture, made, r)
        for r, _, c in made.sends:
            x, y = LEFT + WIDE * c + 55, TOP + (HIGH + GAP) * r + HIGH
            picture.line([(x, y), (x, y + GAP - 6)], stroke=GRADIENT, width=2)
            words = "to 0" if r == RANKS - 1 else "▼"
            picture.text(x + 8, y + 18, words, size=11, fill=GRADIENT)
        return picture

    def text(self) -> str:
        """What has happened, what each replica holds, and the messages sent."""
        made = board(self.data["step"])
        lines = [made.said]
        for r in range(RANKS):
            row = made.values[r] if made.values else []
            facts = [
                f"{value:.2f} ({made.parts[r][c]} of 4)" for c, value in enumerate(row)
            ] or [f"rows {PART * r} to {PART * r + PART - 1}"]
            lines.append(f"replica {r}: {', '.join(facts)}")
        lines += [f"{r} -> {to}: chunk {c}" for r, to, c in made.sends]
        return "\n".join(lines)


def _draw_rank(picture: Picture, made: Board, rank: int) -> None:
    top = TOP + (HIGH + GAP) * rank
    picture.text(16, top + 24, f"replica {rank}", size=12, bold=True)
    for c in range(RANKS):
        left = LEFT + WIDE * c
        if not made.values:
            rows = BATCH[rank * PART : (rank + 1) * PART]
            picture.rect(left, top, 110, HIGH, fill="none", stroke=LINE)
            words = "  ".join(f"{row[c]:.1f}" for row in rows)
            picture.text(left + 55, top + 24, words, size=11, anchor="middle")
            continue
        count = made.parts[rank][c]
        edge = GREEN if count == RANKS else LINE
        picture.rect(left, top, 110, HIGH, fill="none", stroke=edge)
        share = 108 * count / RANKS
        colour = GREEN if count == RANKS else BLUE
        picture.rect(left + 1, top + HIGH - 6, share, 5, fill=colour)
        words = f"{made.values[rank][c]:.2f}"
        picture.text(left + 55, top + 18, words, size=12, fill=TEXT, anchor="middle")
        picture.text(
            left + 55, top + 31, f"{count} of 4", size=10, fill=MUTED, anchor="middle"
        )
