"""The suites of ops, layers and optimizers, run with everything on "cuda".

`expressions()` are the cases of op tests, `programs()` the programs of other tests.
`differences` runs one on the CPU and on "cuda" and says what is not the same. It serves
the stand-in of CuPy as well as a real GPU.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import edutorch as torch
from edutorch.backends import gpus
from edutorch.backends.simulated import SimulatedGpus
from edutorch.random import generator
from edutorch.random.generator import Generator
from tests import programs as programs_of_tests
from tests.answers import same
from tests.ops import cases

__all__ = ["difference", "expressions", "program_difference", "programs"]

TESTS = Path(__file__).parents[1]

# Expressions about NumPy, the host's memory, or the device's name; and results that
# each library chooses: signs of singular vectors, the layout of eigenvectors, the order
# of equal elements; and complex32, which CuPy lacks.
ABOUT_THE_HOST = re.compile(
    r"numpy|\bnp\.|device|is_cpu|is_cuda|\bstr\(|repr\(|data_ptr|\bcpu\b|"
    r"complex32|typename|__array|dlpack|pin_memory|pickle|Generator|torch\.ops|svd|eig\(input|gels|type\(\)|\.type\(|"
    r"stride\(\).*linalg\.lstsq|"  # LAPACK's buffer
    r"torch\.ones\(20\)\.argsort"
)


def expressions(*, refusals: bool = False) -> dict[str, list[str]]:
    """The cases of op tests, by the folder they are in.

    Args:
        refusals: those that PyTorch refuses, in place of those that it computes.
    """
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("stored.json")):
        folder = str(file.parent.relative_to(TESTS))
        for expression, answer in json.loads(file.read_text()).items():
            computed = isinstance(answer, dict) and "result" in answer
            if computed and not refusals and not ABOUT_THE_HOST.search(expression):
                found.setdefault(folder, []).append(expression)
    return found


def difference(expression: str) -> str | None:
    """What an expression gives on "cuda" that it does not give on the CPU."""

    def act(device: str) -> Any:
        return cases._without_nodes(cases.outcome(torch, expression, device))

    return _compared(act, rtol=2e-5, atol=1e-7)


def programs(*folders: str) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
    """File, name and function of the programs in the test files of some folders."""
    for folder in folders:
        for file in sorted((TESTS / folder).rglob("test_*.py")):
            if "programs = Programs(" not in file.read_text(encoding="utf-8"):
                continue
            where = file.relative_to(TESTS.parent).with_suffix("")
            module = importlib.import_module(".".join(where.parts))
            for name, program in module.programs.programs.items():
                yield str(where), name, program


def program_difference(program: Callable[[Any], Any]) -> str | None:
    """What a program answers on "cuda" that it does not answer on the CPU."""
    return _compared(
        lambda device: programs_of_tests._answer(torch, program), rtol=1e-4, atol=1e-6
    )


def _compared(act: Callable[[str], Any], rtol: float, atol: float) -> str | None:
    """Where an action's answers on both devices differ, in a line.

    An answer that names devices is that of a simulated GPU.
    """
    wanted = act("cpu")
    try:
        with _everything_on_cuda():
            got = act("cuda")
    except Exception as error:
        return _told(error)
    if same(got, wanted, rtol=rtol, atol=atol):
        return None
    with simulated_gpus(), _everything_on_cuda():
        if same(got, act("cuda"), rtol=rtol, atol=atol):
            return None
    return f"{_short(got)} on cuda, {_short(wanted)} on cpu"


@contextlib.contextmanager
def simulated_gpus() -> Iterator[None]:
    """Two simulated GPUs in place of what serves "cuda"."""
    before = gpus.use(SimulatedGpus(2, 1 << 30))
    try:
        yield
    finally:
        gpus.restore(before)


@contextlib.contextmanager
def _everything_on_cuda() -> Iterator[None]:
    """Tensors are made on "cuda"; its random numbers are the CPU's, to be compared."""
    before, Generator.of_real_gpus = Generator.of_real_gpus, None
    generator._gpu_generators.clear()
    torch.set_default_device("cuda")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.set_default_device(None)
        generator._gpu_generators.clear()
        Generator.of_real_gpus = before


def _short(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) < 300 else text[:297] + "..."


def _told(error: Exception) -> str:
    """An exception's first line, and the library's line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        f for f in frames if "/edutorch/" in f.filename and "/tests/" not in f.filename
    ]
    line = (str(error).splitlines() or [""])[0][:160]
    place = (
        f" ({own[-1].filename.split('edutorch/')[-1]}:{own[-1].lineno})" if own else ""
    )
    return f"{type(error).__name__}: {line}{place}"
