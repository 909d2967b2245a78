"""Nested tensors as plain data, and the ones that programs ask."""

from __future__ import annotations

import re
from typing import Any

from tests.programs import attempt

__all__ = ["answers", "nested", "shown"]


def nested(torch: Any, layout: str, **options: Any) -> Any:
    """Two parts, of 2 x 3 and 3 x 3 numbers."""
    parts = [torch.linspace(0.1, 0.9, 6).reshape(2, 3), torch.linspace(0.2, 0.8, 9)]
    parts = [parts[0].double(), parts[1].reshape(3, 3).double()]
    return torch.nested.nested_tensor(parts, layout=getattr(torch, layout), **options)


def shown(value: Any) -> Any:
    """Nested tensors as their parts; names of sizes without numbers."""
    if isinstance(value, (tuple, list)) and not hasattr(value, "numel"):
        return [shown(v) for v in value]
    if getattr(value, "is_nested", False):
        return [str(value.layout), *value.detach().unbind()]
    if hasattr(value, "detach") or value is None:
        return value
    return re.sub(r"j\d+", "j", str(value))


def answers(torch: Any, layout: str, texts: str) -> dict[str, Any]:
    """Answers to expressions in `v`, a nested tensor, and `f`, `nn.functional`."""
    found = {}
    for text in texts.strip().split("\n"):
        torch.manual_seed(0)
        names = {"torch": torch, "v": nested(torch, layout), "f": torch.nn.functional,
                 "w": nested(torch, layout)}  # fmt: skip
        answer = attempt(lambda e=text, n=names: shown(eval(e, n)))
        if isinstance(answer, list) and answer[:1] == ["raised"]:
            words = re.sub(r"j\d+", "j", answer[2])
            answer = [*answer[:2], words.partition("' with")[0].partition(".dim")[0]]
        found[text] = answer
    return found
