"""The board's accounting equals that of the simulated GPUs' allocator."""

from __future__ import annotations

import json

import pytest

from edutorch.backends.allocator import CachingAllocator
from edutorch.course.interactions import AllocatorBoard
from edutorch.course.interactions.allocator_board import (
    CAPACITY,
    PROGRAM,
    bytes_text,
    replay,
)
from edutorch.errors import OutOfMemoryError
from tests.widgets.shared_fixtures import FIXTURES

STORED = json.loads((FIXTURES / "allocator_board" / "boards.json").read_text())


def test_program_is_that_of_the_pages_fixture():
    assert [list(step) for step in PROGRAM] == STORED["program"]


@pytest.mark.parametrize("case", STORED["cases"], ids=range(len(PROGRAM)))
def test_board_is_that_of_the_page(case):
    board = replay(PROGRAM, case["steps"])
    assert board.said == case["said"]
    assert board.totals() == case["totals"]
    assert board.failed is case["failed"]
    assert [
        [
            s.nbytes,
            s.small,
            [[b.offset, b.nbytes, b.name, b.requested] for b in s.blocks],
        ]
        for s in board.segments
    ] == case["segments"]
    for part, words in case["would"]:
        assert board.would(part * 2**16) == words


def test_board_is_that_of_the_simulated_allocator():
    allocator, held, failures = CachingAllocator(CAPACITY, 0), {}, []
    for steps, (name, nbytes) in enumerate(PROGRAM, 1):
        try:
            if nbytes:
                held[name] = allocator.allocate(nbytes)
            else:
                held.pop(name).release()
        except OutOfMemoryError:
            failures.append(steps)
        allocator.update_statistics()
        board = replay(PROGRAM, steps)
        assert (board.allocated, board.reserved) == (
            allocator.allocated,
            allocator.reserved,
        )
        blocks = [[(b.offset, b.nbytes) for b in s.blocks] for s in allocator.segments]
        assert blocks == [
            [(b.offset, b.nbytes) for b in s.blocks] for s in board.segments
        ]
    assert failures == [len(PROGRAM)]


def test_last_request_fails_although_enough_is_free():
    board = replay(PROGRAM, len(PROGRAM))
    assert board.failed
    assert board.capacity - board.allocated > PROGRAM[-1][1]
    assert "in pieces" in board.said


def test_what_would_happen_is_what_happens():
    for steps in range(len(PROGRAM)):
        for nbytes in (1000, 3 * 2**20, 16 * 2**20, 40 * 2**20):
            board = replay(PROGRAM, steps)
            words = board.would(nbytes)
            board.step("new", nbytes)
            assert board.failed == ("would fail" in words)
            assert ("new segment" in board.said) == ("new segment" in words)
            assert ("given back" in board.said) == ("given back" in words)


def test_still_picture_and_text_say_the_step():
    board = AllocatorBoard(steps=len(PROGRAM))
    assert "Out of memory" in board.text()
    assert "segment 1" in board.picture().svg()
    assert "(a still)" in board.picture("a still").svg()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"steps": 99}, "steps is from 0 to 17"),
        ({"program": [("a", 4), ("a", 4)]}, "twice in use"),
        ({"program": [("a", 0)]}, "not in use"),
        ({"program": [("a", -1)]}, "negative"),
    ],
)
def test_board_refuses_invalid_programs(given, words):
    with pytest.raises(ValueError, match=words):
        AllocatorBoard(**given)


def test_sizes_are_cut_off_and_not_rounded():
    assert bytes_text(2 * 2**20 - 1) == "1.99 MiB"
    assert [bytes_text(n) for n in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]
