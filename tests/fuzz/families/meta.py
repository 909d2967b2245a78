"""Operations on the meta device: shapes, dtypes, strides, and what is refused."""

from __future__ import annotations

import random
import re

from tests.fuzz.differences import difference
from tests.fuzz.outcomes import Outcome, outcome
from tests.fuzz.samples import Text, draw
from tests.oracle import torch

__all__ = ["GRADIENTS", "TOLD", "excuses", "program", "with_memory"]

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


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    PyTorch lacks rules of many operations whose shapes do not depend on values. Others
    are written in Python, and differ from its kernels in strides and refusals: then
    the kernels are right, since this device is there to tell what others would give.
    """
    lacks = "attempted to run this operator with Meta tensors" in expected.message
    if lacks:
        return "accepted|message|exception"
    on_cpu = outcome(with_memory(text), torch, {})
    alike = difference(on_cpu, got)[0] == ""
    return "accepted|refused|message|exception" if alike else ""


def with_memory(text: str) -> str:
    """The same program on the CPU, where all elements are 0.

    Example:
        >>> with_memory("x = torch.empty_strided((2,), (1,), device='meta')")
        "x = torch.empty_strided((2,), (1,), device='cpu').zero_()"
    """
    text = text.replace("y.device.type", "'meta'")
    return re.sub(r"(torch\.empty_strided\(.*?)'meta'\)", r"\1'cpu').zero_()", text)
