"""The options of `python -m edutorch run`: those of torchrun."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ...backends.threads import processor_count
from .worker_output import parse_streams

__all__ = ["parse_options", "processes_per_node"]


def _spellings(name: str) -> tuple[str, ...]:
    """The spellings of an option: with dashes, and with underscores as formerly."""
    old = "--" + name[2:].replace("-", "_")
    return (name,) if old == name else (name, old)


def parse_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; if it is invalid, exit with a message.

    Example:
        >>> options = parse_options(["--nproc-per-node", "2", "train.py", "--lr", "1"])
        >>> options.nproc_per_node, options.script, options.script_args
        ('2', 'train.py', ['--lr', '1'])
    """
    parser = argparse.ArgumentParser(
        prog="python -m edutorch run",
        description="Run a script in several processes that find each other.",
    )

    def add(name: str, **about: Any) -> None:
        parser.add_argument(*_spellings(name), **about)

    add("--nnodes", default="1", help="number of machines, each with this command")
    add("--nproc-per-node", default="1", help="processes: a number, auto, cpu, gpu")
    add("--node-rank", type=int, default=0, help="the number of this machine")
    add("--master-addr", default="127.0.0.1", help="the address of machine 0")
    add("--master-port", type=int, default=0, help="a free port there")
    add("--standalone", action="store_true", help="one machine, any free port")
    add("--rdzv-backend", default="static", help="static; c10d: numbers machines")
    add("--rdzv-endpoint", default="", help="host:port where machines meet")
    add("--rdzv-id", default="none", help="a name for this run")
    add(
        "--rdzv-conf",
        default="",
        help="settings: join_timeout=SECONDS",
    )
    add("--max-restarts", type=int, default=0, help="start all again so many times")
    add("--monitor-interval", type=float, default=0.1, help="seconds between looks")
    add("--start-method", default="spawn", help="accepted; processes are fresh ones")
    add("--role", default="default", help="a name for the processes")
    add("--log-dir", default=None, help="the folder of the files of output")
    add("--redirects", default="0", help="streams written to files: 1, 2, 3 or 0:1,1:2")
    add("--tee", default="0", help="streams written to files and printed, too")
    add("--local-ranks-filter", default="", help="print only these processes' output")
    add("--local-addr", default=None, help="accepted; the system knows its address")
    add("--no-python", action="store_true", help="the script is a program by itself")
    add("--module", action="store_true", help="the script is a module, as python -m")
    add("--run-path", action="store_true", help="run the script with runpy.run_path")
    _add_shutdown_options(add)
    parser.add_argument("-m", dest="module", action="store_true", help="see --module")
    parser.add_argument("-r", dest="redirects", help="see --redirects")
    parser.add_argument("-t", dest="tee", help="see --tee")
    parser.set_defaults(run_folder=None)
    parser.add_argument("script", help="the program")
    parser.add_argument("script_args", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args(arguments)
    _check(parser, options)
    return options


def _add_shutdown_options(add: Callable[..., None]) -> None:
    """Add the options that say how processes are ended."""
    add(
        "--signals-to-handle",
        default="SIGTERM,SIGHUP,SIGQUIT",
        help="signals that end the launcher, which sends them to its processes first; "
        "Ctrl-C always ends all with SIGTERM, unless SIGINT is listed",
    )
    add(
        "--shutdown-timeout",
        type=float,
        default=float(os.environ.get("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "3")),
        help="seconds that processes have to end before they are killed (default 3)",
    )


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse contradictory options, and convert numbers."""
    low, _, high = options.nnodes.partition(":")
    if high and high != low:
        parser.error(
            f"--nnodes {options.nnodes}: the number of machines is fixed here, give one"
        )
    options.nnodes = int(low)
    if options.nnodes > 1 and not (options.rdzv_endpoint or options.master_port):
        parser.error("several machines need --master-addr and --master-port")
    if not 0 <= options.node_rank < options.nnodes:
        parser.error(f"--node-rank {options.node_rank} of {options.nnodes} machines")
    if options.rdzv_backend not in {"static", "c10d"}:
        parser.error(
            f"--rdzv-backend {options.rdzv_backend}: known are static and c10d"
        )
    for name in ("redirects", "tee"):
        try:
            parse_streams(getattr(options, name))
        except ValueError as error:
            parser.error(f"--{name} {error}")
    if options.run_path and options.module:
        parser.error("--run-path and --module: choose one")
    if options.shutdown_timeout < 0:
        parser.error(f"--shutdown-timeout {options.shutdown_timeout:g} is negative")
    names = [name.strip() for name in options.signals_to_handle.split(",")]
    unknown = [name for name in names if name not in signal.Signals.__members__]
    if unknown or {"SIGKILL", "SIGSTOP"} & set(names):
        parser.error(
            f"--signals-to-handle {options.signals_to_handle}: expected names of "
            "signals that can be handled, such as SIGTERM,SIGUSR1"
        )
    options.signals_to_handle = [signal.Signals[name] for name in names]
    chosen = options.local_ranks_filter
    if chosen and not all(rank.isdecimal() for rank in chosen.split(",")):
        parser.error(f"--local-ranks-filter {chosen}: expected numbers, such as 0,2")


def processes_per_node(text: str, gpus: int) -> int:
    """The number of processes that an option means.

    Example:
        >>> processes_per_node("4", gpus=0), processes_per_node("gpu", gpus=2)
        (4, 2)
    """
    cores = processor_count()
    known = {"cpu": cores, "gpu": gpus, "auto": gpus or cores}
    count = known.get(text, int(text) if text.isdecimal() else 0)
    if count < 1:
        print(f"--nproc-per-node {text}: no process to start", file=sys.stderr)
        raise SystemExit(2)
    return count
