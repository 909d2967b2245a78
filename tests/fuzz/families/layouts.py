"""Operations on the CPU: how results of operands in one order lie in memory."""

from __future__ import annotations

import random

from tests.fuzz.families.meta import TOLD
from tests.fuzz.samples import Text, draw

__all__ = ["program"]


def program(rng: random.Random) -> str:
    """A call of operands that all lie row by row, transposed, with gaps ..."""
    text = Text(rng, "cpu", grad=rng.random() < 0.2)
    call, lines = draw(rng, text)
    return "\n".join([TOLD, *lines, f"y = {call}", "result = told([y])"])
