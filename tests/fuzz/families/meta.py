"""Operations on the meta device: shapes, dtypes, strides, and what is refused."""

from __future__ import annotations

import random

from tests.fuzz.outcomes import Outcome
from tests.fuzz.samples import Text, draw

__all__ = ["GRADIENTS", "TOLD", "excuses", "program"]

# What results tell of themselves but for their values. The order in memory is told in
# words, as it is no wrong result. Steps of dimensions with one element, and places of
# no elements, are read by nobody.
TOLD = (
    "told = lambda y: [told(t) for t in y] if isinstance(y, (tuple, list)) else "
    "[y.to('meta'), y.device.type, y.numel() and str([y.storage_offset(), "
    "*[s for n, s in zip(y.shape, y.stride()) if n > 1]])] if torch.is_tensor(y) else y"
)
GRADIENTS = (
    "ys = [t.abs().sum() for t in (y if isinstance(y, (tuple, list)) else [y]) "
    "if torch.is_tensor(t) and t.requires_grad]\n"
    "gs = torch.autograd.grad(ys, [{}], allow_unused=True) if ys else []"
)


def program(rng: random.Random) -> str:
    """A call on the meta device, perhaps with the gradients of its operands."""
    text = Text(rng, "meta", grad=rng.random() < 0.4)
    call, lines = draw(rng, text)
    lines = [TOLD, *lines, f"y = {call}"]
    if text.leaves and rng.random() < 0.6:
        lines.append(GRADIENTS.format(", ".join(text.leaves)))
        # Gradients are told without strides: theirs are those of their parameter, as
        # soon as they are accumulated.
        shapes = "[g if g is None else [g.dtype, *g.shape] for g in gs]"
        return "\n".join([*lines, f"result = told([y]), {shapes}"])
    return "\n".join([*lines, "result = told([y])"])


def excuses(expected: Outcome, *_: object) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    PyTorch lacks rules of many operations whose shapes do not depend on values.
    """
    lacks = "attempted to run this operator with Meta tensors" in expected.message
    return "accepted|message|exception" if lacks else ""
