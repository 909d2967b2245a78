"""Programs that must give the same results in PyTorch and edutorch.

    programs = Programs(__file__)

    @programs.add
    def parameters_come_in_order(torch):
        return [name for name, _ in torch.nn.Linear(1, 1).named_parameters()]

    test_module = programs.test()

A program is given the library and returns what it found: numbers, texts, tensors,
containers of them; `attempt(f)` makes an exception its type and first line, and
`warned(f)` adds the warnings. PyTorch's answers are stored with the test
(`stored.json`), so that the test says something where PyTorch is not installed; where
it is, they are checked too. `EDUTORCH_STORE=1 python -m pytest tests/nn` stores anew.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import edutorch
from tests.answers import expected, numbers, rounded, same

__all__ = ["Programs", "attempt", "warned"]

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
        program, place = self.programs[name], self.file.with_name("stored.json")
        key = f"{self.file.stem}:{name}"
        return expected(place, key, lambda lib: _answer(lib, program), _same)


def _answer(lib: Any, program: Program) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib.manual_seed(0)
        return _plain(lib, attempt(lambda: program(lib)))


def _plain(lib: Any, value: Any) -> Any:
    """A value as JSON has it: tensors as dtype, shape and numbers."""
    if isinstance(value, lib.Tensor):
        return [str(value.dtype), list(value.shape), numbers(lib, value)]
    if isinstance(value, dict):
        return {str(k): _plain(lib, v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(lib, v) for v in value]
    if isinstance(value, str):
        return ADDRESS.sub("0x", value).replace("edutorch", "torch")
    if isinstance(value, float):
        return rounded(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    return _plain(lib, repr(value))


def _same(x: Any, y: Any) -> bool:
    return same(x, y, rtol=1e-4, atol=1e-6)
