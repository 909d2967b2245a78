from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course.checks.ch17_program import (
    PROGRAM_MISTAKES,
    _fresh_program,
    _replayed,
)
from edutorch.course.random_cases import draws
from tests.course.solutions import ch17

DRAWN = [_fresh_program(draw)[0] for draw in draws(60, ("float32",))]


def measured(program):
    """What the simulated allocator says of a program that is really run."""
    names = {}
    with torch.cuda.simulate(devices=1, memory="64MB"):
        for name, nbytes in program:
            if nbytes is None:
                del names[name]
            else:
                names[name] = torch.empty(nbytes, dtype=torch.uint8, device="cuda")
        found = torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()
        names.clear()
    return found


@pytest.mark.parametrize("program", DRAWN[:20])
def test_program_allocates_what_the_allocator_says(program):
    assert measured(program) == _replayed(program)


def test_example_of_the_statement_is_computed_by_the_solution():
    program = [("x", 1000), ("y", 4), ("x", 2048), ("y", None)]
    assert ch17.program_bytes(program) == (2048, 3584)


@pytest.mark.parametrize("words", PROGRAM_MISTAKES)
def test_mistake_about_a_program_differs_on_two_cases(words):
    made = PROGRAM_MISTAKES[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(program) != _replayed(program) for program in DRAWN) >= 2
