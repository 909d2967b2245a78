"""The suites of ops, layers and optimizers give the same on "cuda" as on the CPU.

Without a GPU the stand-in of CuPy serves it: everything but CuPy itself is tested.
"""

from __future__ import annotations

import pytest

from tests.gpu_double.suites import (
    difference,
    expressions,
    program_difference,
    programs,
)

pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")

EXPRESSIONS = expressions()
# Distributions compose the same operations, and take as long as all others together.
FOLDERS = ("nn", "optim", "amp", "func", "masked", "nested", "autograd")
# A gradient that is added to becomes another array on a GPU, where a hook that looked
# at the old one on the CPU sees the sum.
OTHERWISE = {"hooks_on_the_node_that_accumulates"}


@pytest.mark.parametrize("folder", EXPRESSIONS)
def test_expressions_give_the_same_as_on_the_cpu(cuda, folder):
    found = {e: difference(e) for e in EXPRESSIONS[folder]}
    wrong = [f"{e}\n    {d}" for e, d in found.items() if d is not None]
    assert not wrong, f"{len(wrong)} of {len(found)}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("folder", FOLDERS)
def test_programs_give_the_same_as_on_the_cpu(cuda, folder):
    wrong = []
    for file, name, program in programs(folder):
        if name in OTHERWISE:
            continue
        found = program_difference(program)
        if found is not None:
            wrong.append(f"{file}: {name}\n    {found}")
    assert not wrong, "\n".join(wrong)
