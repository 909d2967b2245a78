"""Programs that PyTorch and edutorch must give the same answers to.

    programs = Programs(__file__)

    @programs.add
    def parameters_come_in_order(torch):
        return [name for name, _ in torch.nn.Linear(1, 1).named_parameters()]

    test_module = programs.test()

A program is given the library and returns what it found: numbers, texts, tensors,
containers of them; `attempt(f)` makes an exception its type and first line, and
`warned(f)` adds the warnings. PyTorch's answers are stored beside the test
(`stored.json`), so that the test says something where PyTorch is not installed; where
it is, they are checked too. `EDUTORCH_STORE=1 python -m pytest tests/nn` stores anew.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edutorch

__all__ = ["Programs", "attempt", "warned"]

DIGITS = 6  # stored numbers are rounded to so many significant digits
STORE = bool(os.environ.get("EDUTORCH_STORE"))
ADDRESS = re.compile(r"0x[0-9a-f]+")

Program = Callable[[Any], Any]


def attempt(action: Callable[[], Any]) -> Any:
    """What an action returns, or its exception's type and first line."""
    try:
        return action()
    except Exception as error:
        lines = str(error).splitlines() or [""]
        return ["raised", type(error).__name__, lines[0].strip()]


def warned(action: Callable[[], Any]) -> Any:
    """What an action returns, and the categories and texts of its warnings."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = attempt(action)
    return [found, [[w.category.__name__, str(w.message)] for w in seen]]


class Programs:
    """The programs of one test file."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        self.programs: dict[str, Program] = {}

    def add(self, program: Program) -> Program:
        """Add a program under its name."""
        self.programs[program.__name__] = program
        return program

    def test(self) -> Callable[[str], None]:
        """A test of every program, for pytest to find in the file."""

        @pytest.mark.parametrize("name", self.programs)
        def test_answers_equal_pytorchs(name: str) -> None:
            self.check(name)

        return test_answers_equal_pytorchs

    def check(self, name: str) -> None:
        """Compare edutorch's answer to one program with PyTorch's."""
        answer = self._expected(name)
        got = _answer(edutorch, self.programs[name])
        assert _same(got, answer), f"PyTorch:  {answer}\nedutorch: {got}"

    def _expected(self, name: str) -> Any:
        """PyTorch's answer: from PyTorch where it is installed, else as stored."""
        key = f"{self.file.stem}:{name}"
        stored = _stored(self.file.parent)
        if _oracle() is None:
            return stored[key]
        answer = _answer(_oracle(), self.programs[name])
        if STORE:
            stored[key] = answer
            lines = (
                f"{json.dumps(k)}: {json.dumps(stored[k])}" for k in sorted(stored)
            )
            text = "{\n" + ",\n".join(lines) + "\n}\n"
            (self.file.parent / "stored.json").write_text(text)
        assert key in stored, "not stored yet: run once with EDUTORCH_STORE=1"
        assert _same(stored[key], answer), f"PyTorch now says {answer}"
        return answer


@functools.cache
def _oracle() -> Any:
    """PyTorch, or None where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        return None
    from tests.oracle import torch

    return torch


@functools.cache
def _stored(folder: Path) -> dict[str, Any]:
    path = folder / "stored.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def _answer(lib: Any, program: Program) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib.manual_seed(0)
        return _plain(lib, attempt(lambda: program(lib)))


def _plain(lib: Any, value: Any) -> Any:
    """A value as JSON has it: tensors as dtype, shape and numbers."""
    if isinstance(value, lib.Tensor):
        return [str(value.dtype), list(value.shape), _numbers(lib, value)]
    if isinstance(value, dict):
        return {str(k): _plain(lib, v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(lib, v) for v in value]
    if isinstance(value, str):
        return ADDRESS.sub("0x", value).replace("edutorch", "torch")
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if value is None or isinstance(value, (bool, int)):
        return value
    return _plain(lib, repr(value))


def _numbers(lib: Any, t: Any) -> Any:
    t = t.detach().cpu()
    if t.is_complex():
        t = lib.view_as_real(t)
    if t.is_floating_point():
        return [float(f"{v:.{DIGITS}g}") for v in t.double().reshape(-1).tolist()]
    return t.reshape(-1).tolist()


def _same(x: Any, y: Any) -> bool:
    """Equal but for the last digits."""
    if isinstance(x, dict) and isinstance(y, dict):
        # The order of keys counts: it is that of parameters.
        return list(x) == list(y) and all(_same(x[k], y[k]) for k in x)
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(_same, x, y))
    if isinstance(x, float) and isinstance(y, float):
        return bool(np.isclose(x, y, rtol=1e-4, atol=1e-6, equal_nan=True))
    return x == y
