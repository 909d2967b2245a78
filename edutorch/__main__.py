"""`python -m edutorch COMMAND`: what edutorch does from the shell."""

from __future__ import annotations

import sys
import time

from .kernels.warmup import compile_all

__all__ = ["main"]


def warmup() -> int:
    """Compile the fast kernels, so that no program needs to."""
    started = time.perf_counter()
    try:
        names = compile_all()
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    seconds = time.perf_counter() - started
    print(f"kernels compiled in {seconds:.1f} s: {', '.join(names)}")
    return 0


COMMANDS = {"warmup": warmup}


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status of the process."""
    if len(arguments) == 1 and arguments[0] in COMMANDS:
        return COMMANDS[arguments[0]]()
    print("usage: python -m edutorch COMMAND", file=sys.stderr)
    for name, command in COMMANDS.items():
        print(f"  {name:8} {command.__doc__}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
