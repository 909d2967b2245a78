"""Every op test's expression on a GPU, and a table of what fails.

    python -m tests.gpu.scout --seconds 120 --seed 1

With a real GPU it runs there; without one, on the stand-in of CuPy. The order is
random: a run that is cut short has tried a bit of everything.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import random
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from edutorch.autograd.host_fallback import computed_on_host
from edutorch.backends.cupy_gpu import find_gpus
from tests.gpu_double.suites import (
    difference,
    expressions,
    program_difference,
    programs,
)

__all__ = ["main"]


def _served() -> Any:
    """The real GPU, or the stand-in if there is none."""
    if find_gpus() is not None:
        return contextlib.nullcontext("a real GPU")
    from tests.gpu_double.install import stand_in

    return stand_in()


def _jobs(options: argparse.Namespace) -> list[tuple[str, str, Any]]:
    """Folder, text and action of everything there is to run."""
    jobs: list[tuple[str, str, Any]] = []
    for folder, texts in expressions().items():
        jobs += [(folder, t, lambda t=t: difference(t)) for t in texts]
    for file, name, program in programs(*options.programs):
        jobs.append((file, name, lambda p=program: program_difference(p)))
    kept = [j for j in jobs if options.only in j[0] or options.only in j[1]]
    random.Random(options.seed).shuffle(kept)
    share, shares = map(int, options.share.split("/"))
    return kept[share - 1 :: shares]


def main(arguments: list[str] | None = None) -> int:
    """Run, print the table, and return how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the folder or expression")
    parser.add_argument("--share", default="1/1", help="2/12: the second of 12 shares")
    parser.add_argument("--programs", nargs="*", default=["nn", "optim"])
    parser.add_argument("--out", help="a JSON file for the table")
    options = parser.parse_args(arguments)
    failed, done, begin = [], 0, time.monotonic()
    with _served() as where:
        jobs = _jobs(options)
        for folder, text, action in jobs:
            if time.monotonic() - begin > options.seconds:
                break
            done += 1
            found = _tried(action)
            if found is not None:
                failed.append((folder, text, found))
    for folder, text, found in sorted(failed):
        print(f"{folder}: {text}\n    {found}")
    kinds = collections.Counter(f[2].partition(" (")[0][:100] for f in failed)
    print("\n".join(f"{n:4} {kind}" for kind, n in kinds.most_common(20)))
    print(f"{where}: {len(failed)} of {done} failed, {len(jobs)} in all")
    print(f"on the host: {', '.join(sorted(computed_on_host))}")
    if options.out:
        Path(options.out).write_text(json.dumps(failed, indent=0))
    return len(failed)


def _tried(action: Any) -> str | None:
    """What differs, or the exception that came first on the CPU."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: str | None = action()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
