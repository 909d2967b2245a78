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
FOLDERS = (
    "nn", "optim", "amp", "func", "masked", "nested", "autograd", "distributions",
)  # fmt: skip


@pytest.mark.parametrize("folder", EXPRESSIONS)
def test_expressions_give_the_same_as_on_the_cpu(cuda, folder):
    found = {e: difference(e) for e in EXPRESSIONS[folder]}
    wrong = [f"{e}\n    {d}" for e, d in found.items() if d is not None]
    assert not wrong, f"{len(wrong)} of {len(found)}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("folder", FOLDERS)
def test_programs_give_the_same_as_on_the_cpu(cuda, folder):
    wrong = []
    for file, name, program in programs(folder):
        found = program_difference(program)
        if found is not None:
            wrong.append(f"{file}: {name}\n    {found}")
    assert not wrong, "\n".join(wrong)
