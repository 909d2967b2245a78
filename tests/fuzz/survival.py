"""Runs one program repeatedly under one library: does the process survive?

If PyTorch writes outside an array, the process may crash later. So the last program of a
worker that crashed need not be the cause, nor need edutorch be.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from tests.fuzz.outcomes import outcome
from tests.fuzz.programs import family

__all__ = ["survives"]

TIMES = 30
PATIENCE = 120.0  # seconds


def survives(text: str, name: str, library: str) -> bool:
    """Whether a separate process survives a program of a family."""
    command = [sys.executable, "-m", "tests.fuzz.survival", name, library]
    try:
        done = subprocess.run(
            command, input=text, text=True, timeout=PATIENCE, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main(name: str, library: str) -> None:
    """Run the program that standard input contains."""
    text, module = sys.stdin.read(), import_module(library)
    names = getattr(family(name), "names", lambda library: {})
    for _ in range(TIMES):
        outcome(text, module, names(module))


if __name__ == "__main__":
    main(*sys.argv[1:])
