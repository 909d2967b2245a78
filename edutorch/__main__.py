"""`python -m edutorch COMMAND`: the command line of edutorch."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import edutorch

from . import config
from .distributed.run import main as run_main
from .extras import install_command
from .kernels.warmup import compile_all, has_numba, is_warm

__all__ = ["main"]


def warmup(arguments: Sequence[str] = ()) -> int:
    """Compile the kernels for this machine: programs begun later use them."""
    if arguments:
        print("warmup takes no arguments", file=sys.stderr)
        return 2
    started = time.perf_counter()
    if has_numba() and not is_warm():
        print(
            "compiling kernels, once for this machine: less than a minute", flush=True
        )
    try:
        names = compile_all()
    except (RuntimeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    seconds = time.perf_counter() - started
    print(f"compiled kernels are ready ({seconds:.1f} s): {', '.join(names)}")
    return 0


def watch(arguments: Sequence[str]) -> int:
    """Run a script and show views of it on a local page; see `watch --help`."""
    try:
        widgets = edutorch.widgets
    except ModuleNotFoundError as error:
        print(f"watch needs {error.name}: {install_command('lab')}", file=sys.stderr)
        return 1
    return int(widgets.watch_script(arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a script in several processes, as torchrun does; see `run --help`."""
    return run_main(arguments)


COMMANDS = {"run": run, "warmup": warmup, "watch": watch}


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status of the process."""
    if arguments and arguments[0] in COMMANDS:
        config.own_process()
        return COMMANDS[arguments[0]](arguments[1:])
    print("usage: python -m edutorch COMMAND", file=sys.stderr)
    for name, command in COMMANDS.items():
        print(f"  {name:8} {command.__doc__}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
