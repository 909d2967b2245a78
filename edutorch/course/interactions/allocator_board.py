"""A caching allocator at work: segments and blocks after each step of a program.

The same as `widgets/src/course/allocator_board.ts`, in whole bytes. The rules are those
of `edutorch/backends/allocator.py`, with names for the blocks and words for each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from ...widgets.box_style import BAD, MUTED, TEXT
from ...widgets.svg import Picture
from .interaction import Interaction

__all__ = [
    "PROGRAM", "AllocatorBoard", "Block", "Board", "Segment", "bytes_text", "replay",
]  # fmt: skip

KIB: Final = 2**10
MIB: Final = 2**20
Step = tuple[str, int]  # a name, and the bytes that it requests; 0 frees it
PROGRAM: Final[tuple[Step, ...]] = (
    ("a", 4), ("b", 700 * KIB), ("c", 6 * MIB), ("d", 6 * MIB), ("e", 6 * MIB),
    ("b", 0), ("f", 300 * KIB), ("c", 0), ("e", 0), ("g", 12 * MIB), ("g", 0),
    ("h", 4608 * KIB), ("i", 16 * MIB), ("i", 0), ("d", 0), ("j", 16 * MIB),
    ("k", 18 * MIB),
)  # fmt: skip
CAPACITY: Final = 48 * MIB
ROUND: Final = 512
BLUE, GAP, FRAME = "#0072b2", "#e4e8ee", "#8b95a3"
LEFT, WIDE, TOP, HIGH = 16, 612, 92, 44


def bytes_text(n: int) -> str:
    """A size in readable units, truncated to two decimals.

    Example:
        >>> bytes_text(1), bytes_text(512), bytes_text(700 * 1024)
        ('1 byte', '512 bytes', '700 KiB')
        >>> bytes_text(5 * 2**19)
        '2.50 MiB'
    """
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if n >= unit:
            whole, part = divmod(n * 100 // unit, 100)
            return f"{whole} {name}" if n % unit == 0 else f"{whole}.{part:02} {name}"
    return "1 byte" if n == 1 else f"{n} bytes"


@dataclass
class Block:
    """A part of a segment; a free block has no name."""

    offset: int
    nbytes: int
    name: str = ""
    requested: int = 0


@dataclass
class Segment:
    """A piece of the device's memory; small requests use segments of their own."""

    nbytes: int
    small: bool
    blocks: list[Block]

    @property
    def unused(self) -> bool:
        """Whether no block of it is in use."""
        return len(self.blocks) == 1 and not self.blocks[0].name


@dataclass
class Board:
    """The state of an allocator after some steps.

    Attributes:
        capacity: of the device.
        segments: in the order in which they were reserved.
        said: a sentence about the last step.
        lit: the name of the block that it is about.
        failed: whether it ran out of memory.
    """

    capacity: int
    segments: list[Segment] = field(default_factory=list)
    said: str = "Nothing is reserved yet."
    lit: str = ""
    failed: bool = False

    @property
    def reserved(self) -> int:
        """The bytes of all segments."""
        return sum(segment.nbytes for segment in self.segments)

    @property
    def free(self) -> list[Block]:
        """All free blocks."""
        return [b for s in self.segments for b in s.blocks if not b.name]

    @property
    def allocated(self) -> int:
        """The bytes of all blocks in use."""
        return self.reserved - sum(block.nbytes for block in self.free)

    def totals(self) -> str:
        """The allocated, reserved and free bytes, in a sentence."""
        gaps = self.free
        blocks = "1 free block" if len(gaps) == 1 else f"{len(gaps)} free blocks"
        return (
            f"Allocated {bytes_text(self.allocated)}, reserved "
            f"{bytes_text(self.reserved)} of {bytes_text(self.capacity)}; "
            f"{bytes_text(self.reserved - self.allocated)} in {blocks}."
        )

    def step(self, name: str, nbytes: int) -> None:
        """Allocate the bytes, or free if they are 0."""
        self.lit, self.failed = name, False
        if nbytes:
            self._allocate(name, nbytes)
        else:
            self._free(name)

    def would(self, nbytes: int) -> str:
        """A sentence that says where a request would be placed now."""
        size = rounded(nbytes)
        start = f"A request of {bytes_text(nbytes)} now would"
        found = self._best(size)
        if found:
            at, block = found
            return (
                f"{start} go into segment {at + 1}, into the free block of "
                f"{bytes_text(block.nbytes)}."
            )
        for unused in (False, True):
            want = self._new_size(size, without_unused=unused)
            if want:
                back = " once unused segments are given back" if unused else ""
                return f"{start} need a new segment of {bytes_text(want)}{back}."
        return f"{start} fail: {self._why()}"

    def _best(self, size: int) -> tuple[int, Block] | None:
        """The smallest free block that is large enough, and its segment's index."""
        fits = [
            (at, block)
            for at, segment in enumerate(self.segments)
            if segment.small == (size <= MIB)
            for block in segment.blocks
            if not block.name and block.nbytes >= size
        ]
        return min(fits, key=lambda pair: pair[1].nbytes, default=None)

    def _new_size(self, size: int, without_unused: bool = False) -> int:
        """The size of a new segment, 0 if the device has no space for it."""
        kept = [s for s in self.segments if not (without_unused and s.unused)]
        room = self.capacity - sum(segment.nbytes for segment in kept)
        if size <= MIB:
            want = 2 * MIB
        elif size < 10 * MIB:
            want = 20 * MIB
        else:
            want = -(-size // (2 * MIB)) * 2 * MIB
        return want if want <= room else size if size <= room else 0

    def _allocate(self, name: str, nbytes: int) -> None:
        size = rounded(nbytes)
        words = f"{name}: {bytes_text(nbytes)} requested, {bytes_text(size)} set aside"
        found = self._best(size)
        if found:
            at, block = found
            segment = self.segments[at]
            of = bytes_text(block.nbytes)
            self.said = f"{words}, in the free block of {of} in segment {at + 1}."
        else:
            want, back = self._new_size(size), ""
            if not want:
                want = self._new_size(size, without_unused=True)
                self.segments = [s for s in self.segments if not s.unused]
                back = "; unused segments were given back to make room"
            if not want:
                self.failed = True
                self.said = (
                    f"{name}: {bytes_text(nbytes)} requested. Out of memory: "
                    f"{self._why()}"
                )
                return
            segment = Segment(want, size <= MIB, [Block(0, want)])
            self.segments.append(segment)
            block = segment.blocks[0]
            self.said = f"{words}, in a new segment of {bytes_text(want)}{back}."
        _cut(segment, block, size)
        block.name, block.requested = name, nbytes

    def _why(self) -> str:
        largest = max((block.nbytes for block in self.free), default=0)
        rest = self.capacity - self.reserved
        return (
            f"the largest free block has {bytes_text(largest)}, and "
            f"{bytes_text(rest)} of the device are not reserved. Together "
            f"{bytes_text(self.capacity - self.allocated)} are free, in pieces."
        )

    def _free(self, name: str) -> None:
        for at, segment in enumerate(self.segments):
            for block in segment.blocks:
                if block.name == name:
                    nbytes, block.name, block.requested = block.nbytes, "", 0
                    joined = _join(segment, block)
                    as_one = (
                        f", joined with what is free beside it: {bytes_text(joined)}"
                        if joined > nbytes
                        else ""
                    )
                    self.said = (
                        f"{name} is freed: its {bytes_text(nbytes)} stay reserved, "
                        f"free in segment {at + 1}{as_one}."
                    )
                    return
        raise ValueError(f"nothing named {name!r} is in use")


def rounded(nbytes: int) -> int:
    """The size that the allocator uses for a request."""
    return -(-nbytes // ROUND) * ROUND


def _cut(segment: Segment, block: Block, size: int) -> None:
    """Split off the unused part of a block, if it is large enough."""
    rest = block.nbytes - size
    if rest >= ROUND if segment.small else rest > MIB:
        at = segment.blocks.index(block)
        segment.blocks.insert(at + 1, Block(block.offset + size, rest))
        block.nbytes = size


def _join(segment: Segment, block: Block) -> int:
    """Merge a freed block with free neighbours; return the bytes of the result."""
    at = segment.blocks.index(block)
    first, last = at, at
    if at > 0 and not segment.blocks[at - 1].name:
        first -= 1
    if at + 1 < len(segment.blocks) and not segment.blocks[at + 1].name:
        last += 1
    parts = segment.blocks[first : last + 1]
    whole = Block(parts[0].offset, sum(part.nbytes for part in parts))
    segment.blocks[first : last + 1] = [whole]
    return whole.nbytes


def replay(program: Sequence[Step], steps: int, capacity: int = CAPACITY) -> Board:
    """The state after some steps of a program.

    Example:
        >>> replay(PROGRAM, 1).said
        'a: 4 bytes requested, 512 bytes set aside, in a new segment of 2 MiB.'
    """
    board = Board(capacity)
    for name, nbytes in program[:steps]:
        board.step(name, nbytes)
    return board


class AllocatorBoard(Interaction):
    """Segments and blocks of a caching allocator, step by step through a program.

    In the page a reader steps through it, and asks where a request would go.

    Args:
        steps: the number of steps run initially.
        program: pairs of a name and the bytes that it requests; 0 bytes free it.
        capacity: the capacity of the device, in bytes.

    Raises:
        ValueError: a freed name is not in use, a name is allocated twice, or the
            program has fewer steps.

    Example:
        >>> print(AllocatorBoard(steps=6).text().splitlines()[1])
        b is freed: its 700 KiB stay reserved, free in segment 1, joined with what is \
free beside it: 1.99 MiB.
    """

    kind: ClassVar[str] = "allocator_board"

    def __init__(
        self,
        steps: int = 0,
        program: Sequence[Step] = PROGRAM,
        capacity: int = CAPACITY,
    ) -> None:
        if not 0 <= steps <= len(program):
            raise ValueError(f"steps is from 0 to {len(program)}, got {steps}")
        in_use: set[str] = set()
        for name, nbytes in program:
            if nbytes < 0 or (nbytes > 0) == (name in in_use):
                word = "twice in use" if nbytes else "not in use"
                raise ValueError(f"{name!r} is {word}, or its size is negative")
            in_use ^= {name}
        super().__init__(
            data={
                "steps": steps,
                "program": [list(step) for step in program],
                "capacity": capacity,
            }
        )

    def board(self) -> Board:
        """The state after the chosen steps."""
        data = self.data
        program = [(name, nbytes) for name, nbytes in data["program"]]
        return replay(program, data["steps"], data["capacity"])

    def picture(self, note: str = "") -> Picture:
        """The device, with a bar for each segment."""
        board = self.board()
        rows = max(len(board.segments), 1)
        picture = Picture(644, TOP + HIGH * rows + 8, "Segments of a caching allocator")
        title = self._caption() + (f" ({note})" if note else "")
        picture.text(LEFT, 22, title, bold=True, size=13)
        for i, line in enumerate(_lines(board.said, 96)[:2]):
            colour = BAD if board.failed else TEXT
            picture.text(LEFT, 42 + 15 * i, line, size=12, fill=colour)
        picture.text(LEFT, 74, board.totals(), size=12, fill=MUTED)
        for i, segment in enumerate(board.segments):
            _draw_segment(picture, i, segment, board)
        return picture

    def text(self) -> str:
        """The last step, the totals, and every block."""
        board = self.board()
        lines = [self._caption(), board.said, board.totals()]
        for i, segment in enumerate(board.segments):
            lines.append(f"segment {i + 1}, {bytes_text(segment.nbytes)}")
            for block in segment.blocks:
                requested = f" ({bytes_text(block.requested)} requested)"
                use = f"{block.name}{requested}" if block.name else "free"
                at = bytes_text(block.offset)
                lines.append(f"  at {at:>10}: {bytes_text(block.nbytes):>10}  {use}")
        return "\n".join(lines)

    def _caption(self) -> str:
        steps, count = self.data["steps"], len(self.data["program"])
        return f"Step {steps} of {count} of a program, on a device that is simulated."


def _lines(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _draw_segment(picture: Picture, i: int, segment: Segment, board: Board) -> None:
    top = TOP + HIGH * i
    name = f"segment {i + 1}: {bytes_text(segment.nbytes)}"
    picture.text(LEFT, top + 10, name, size=11, fill=TEXT)
    picture.rect(LEFT, top + 14, WIDE, 22, fill=GAP, stroke=FRAME)
    for block in sorted(segment.blocks, key=lambda b: -b.nbytes):
        left = LEFT + WIDE * block.offset / segment.nbytes
        wide = max(WIDE * block.nbytes / segment.nbytes, 3.0)
        words = f"{block.name or 'free'} {bytes_text(block.nbytes)}"
        look: dict[str, Any] = {"fill": GAP, "stroke": FRAME, "dash": "3 2"}
        if block.name:
            look = {"fill": BLUE, "stroke": "#ffffff"}
            if block.name == board.lit:
                look = {"fill": "#00936b", "stroke": "#ffffff"}
        elif board.failed:
            look = {"fill": "#f6d5de", "stroke": BAD, "dash": "3 2"}
        picture.rect(left, top + 14, wide, 22, **look)
        if wide > 7 * len(words):
            fill = "#ffffff" if block.name else TEXT
            middle = left + wide / 2
            picture.text(middle, top + 29, words, size=11, fill=fill, anchor="middle")
