"""One program under one library, again and again: does the process survive it?

Memory that PyTorch has overrun can end the process later, so a worker's last program
need not be the one to blame, nor edutorch.
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
    command = [sys.executable, "-m", "tests.fuzz.alone", name, library]
    try:
        done = subprocess.run(
            command, input=text, text=True, timeout=PATIENCE, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main(name: str, library: str) -> None:
    """Run the program that comes in."""
    text, module = sys.stdin.read(), import_module(library)
    names = getattr(family(name), "names", lambda library: {})
    for _ in range(TIMES):
        outcome(text, module, names(module))


if __name__ == "__main__":
    main(*sys.argv[1:])
