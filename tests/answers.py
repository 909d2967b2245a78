"""PyTorch's answers: computed if it is installed, otherwise read from a file.

The files, `stored.json`, are in the folders of the tests. `EDUTORCH_STORE=1 python -m pytest tests/...`
stores anew.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = [
    "STORE", "expected", "numbers", "oracle", "rounded", "same", "stored", "write",
]  # fmt: skip

DIGITS = 6  # stored numbers are rounded to so many significant digits
STORE = bool(os.environ.get("EDUTORCH_STORE"))


@functools.cache
def oracle() -> Any:
    """PyTorch, or None where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        return None
    from tests.oracle import torch

    return torch


@functools.lru_cache(2)  # tests of a folder come together; all files are much
def stored(file: Path) -> dict[str, Any]:
    """The answers in a file."""
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def write(file: Path, answers: dict[str, Any]) -> None:
    """Store answers, a line for each."""
    lines = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in answers.items())
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def expected(
    file: Path,
    key: str,
    ask: Callable[[Any], Any],
    alike: Callable[[Any, Any], bool] = operator.eq,
) -> Any:
    """PyTorch's answer: from PyTorch where it is installed, else as stored.

    Args:
        file: where it is stored.
        key: what it is stored under.
        ask: gives the answer of the library that it is called with.
        alike: whether what is stored is what PyTorch says.
    """
    answers = stored(file)
    if oracle() is None:
        return answers[key]
    answer = ask(oracle())
    if STORE:
        answers[key] = answer
        write(file, dict(sorted(answers.items())))
    assert key in answers, "not stored yet: run once with EDUTORCH_STORE=1"
    assert alike(answers[key], answer), f"PyTorch now says {answer}"
    return answer


def rounded(number: float) -> float:
    """A number with as many digits as are stored."""
    return float(f"{number:.{DIGITS}g}")


def numbers(lib: Any, t: Any) -> Any:
    """The numbers of a tensor, one after the other."""
    t = t.detach().cpu()
    if t.is_complex():
        t = lib.view_as_real(t.resolve_conj())
    if t.is_floating_point():
        return [rounded(v) for v in t.double().reshape(-1).tolist()]
    return t.reshape(-1).tolist()


def same(x: Any, y: Any, rtol: float, atol: float) -> bool:
    """Equal but for the last digits. The order of keys counts: it is parameters'."""
    if isinstance(x, dict) and isinstance(y, dict):
        return list(x) == list(y) and all(same(x[k], y[k], rtol, atol) for k in x)
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        pairs = zip(x, y, strict=False)
        return len(x) == len(y) and all(same(a, b, rtol, atol) for a, b in pairs)
    if isinstance(x, float) and isinstance(y, float):
        return _close(x, y, rtol, atol)
    return bool(x == y)


def _close(x: float, y: float, rtol: float, atol: float) -> bool:
    """What `np.isclose` says of two numbers, NaN being equal to NaN."""
    if x == y or (x != x and y != y):
        return True
    return math.isfinite(y) and abs(x - y) <= atol + rtol * abs(y)
