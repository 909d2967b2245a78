"""Operations on the CPU: how results of operands in one order lie in memory.

Of gradients, whether they can be viewed: those of row-major operands must be row-major
where PyTorch's are.
"""

from __future__ import annotations

import random
import re

from tests.fuzz.differences import difference
from tests.fuzz.families.meta import TOLD
from tests.fuzz.families.ops import LEFT_OUT, RESULTS
from tests.fuzz.outcomes import Outcome
from tests.fuzz.samples import Text, draw

__all__ = ["excuses", "program"]

STRIDED = re.compile(r"empty_strided\(\(([\d, ]*)\), \(([\d, ]*)\)")
GRADIENTS = (
    "gs = torch.autograd.grad(ys, [{}], [torch.ones(t.shape, dtype=t.dtype) for t in ys], "
    "allow_unused=True) if ys else []"
)
VIEWED = (
    "['none' if g is None else 'viewed' if g.is_contiguous() else 'not' for g in gs]"
)


def program(rng: random.Random) -> str:
    """A call of operands that all lie row by row, transposed, with gaps ..."""
    text = Text(rng, "cpu", grad=rng.random() < 0.4)
    call, lines = draw(rng, text)
    head = [TOLD, *lines, f"y = {call}"]
    if not text.leaves or LEFT_OUT.search(call) or not all(map(_is_row_major, lines)):
        return "\n".join([*head, "result = told([y])"])
    gradients = GRADIENTS.format(", ".join(text.leaves))
    return "\n".join([*head, RESULTS, gradients, f"result = told([y]), {VIEWED}"])


def _is_row_major(line: str) -> bool:
    """Whether the tensor that a line makes lies row by row, without gaps."""
    made = STRIDED.search(line)
    if made is None or ".expand(" in line:
        return False
    shape, strides = ([int(n) for n in made[i].split(",") if n.strip()] for i in (1, 2))
    size = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != size:
            return False
        size *= n
    return True


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    Gradients that are row-major where PyTorch's are not do no harm.
    """
    values = expected.value, got.value
    if not all(isinstance(v, list) and len(v) == 2 for v in values):
        return ""
    if difference(Outcome(expected.value[0]), Outcome(got.value[0]))[0]:
        return ""
    both = zip(expected.value[1], got.value[1], strict=True)
    return "" if ("viewed", "not") in both else "message"
