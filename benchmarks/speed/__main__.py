"""The command line: `python -m benchmarks.speed --threads 2 --only conv,norm`."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from .rounds import Row, Worker, compare
from .table import STORED, beside_stored, line, machine, mean_ratio, read, write
from .workloads import WORKLOADS, chosen

__all__ = ["main", "measure"]


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser("make bench", description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="words, one of which a name has")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--block", type=float, default=0.15, help="seconds of a timing")
    parser.add_argument("--json", type=Path, help="a file to write the table to, too")
    parser.add_argument(
        "--store",
        action="store_true",
        help="keep the table for machines without PyTorch",
    )
    parser.add_argument(
        "--alone", action="store_true", help="as if PyTorch were not installed"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a workload failed or results differ."""
    given = options(arguments)
    names = chosen(given.only) if given.only else list(WORKLOADS)
    alone = given.alone or find_spec("torch") is None
    rows, described = measure(names, given, alone)
    mean = mean_ratio(rows)
    if mean is not None:
        print(f"{'geometric mean':20}{mean:30.2f}")
    if given.json:
        write(given.json, rows, described)
    if given.store and not alone:
        write(STORED, rows, described)
    return int(any(row.error for row in rows))


def measure(
    names: list[str], given: argparse.Namespace, alone: bool
) -> tuple[list[Row], list[dict[str, object]]]:
    """The rows, printed as they come, and what the workers say of themselves."""
    with ExitStack() as stack:
        libraries = ["edutorch"] if alone else ["edutorch", "torch"]
        workers = [stack.enter_context(Worker(n, given.threads)) for n in libraries]
        described = [w.ask(do="describe") for w in workers]
        for d in described:
            threads = f"{d['threads']} thread" + "s" * (d["threads"] != 1)
            print(f"{d['library']} {d['version']}, {threads}. {d['kernels']}".strip())
        stored, here = (read(), machine()) if alone else ({}, {})
        where = "estimated" if alone else "PyTorch"
        print(
            f"{'milliseconds':20}{'edutorch':>11}{where:>11}{'ratio':>8}{'spread':>8}"
        )
        rows = []
        for name in names:
            try:
                row = compare(name, workers, given.rounds, given.block)
            except RuntimeError as error:
                row = Row(name, 0.0, error=str(error), difference=float("nan"))
            rows.append(beside_stored(row, stored, here) if alone else row)
            print(line(row), flush=True)
    return rows, described


if __name__ == "__main__":
    sys.exit(main())
