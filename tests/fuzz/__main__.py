"""Run random programs under PyTorch and edutorch, and compare the results.

    python -m tests.fuzz --seconds 300                 # the seed is today's date
    python -m tests.fuzz --seed 7 --only views,ops --seconds 3600
    python -m tests.fuzz --seed 7 --only views --index 4711       # one program again

Each family (`families/`) writes programs of a few lines; a failure is printed as a
program that anyone can run. Differences that `known/` explains are not counted. The exit
status is 1 if edutorch crashes or hangs, or if more than one result in 2,000 is wrong.
With `--strict`, it is also 1 for any wrong result, for any error that only one library
raises or whose type differs, and if more than one message in 10,000 programs differs.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.util
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.differences import REFUSALS, WRONG
from tests.fuzz.driver import Run, fuzz
from tests.fuzz.known import known
from tests.fuzz.outcomes import HEADER
from tests.fuzz.programs import families

MESSAGES = 10_000  # programs per message that may differ, with `--strict`
# Programs per result that may be wrong, since some rare failures are not understood yet.
# Raise it as they are fixed.
WRONG_RATE = 2_000


def today() -> int:
    """The seed of the day."""
    return int(dt.datetime.now(dt.UTC).strftime("%Y%m%d"))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=300, help="for all families")
    parser.add_argument("--seed", type=int, default=today())
    parser.add_argument("--only", default="", help="families, separated by commas")
    parser.add_argument("--index", type=int, help="run this program alone")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--strict", action="store_true", help="fail for any difference")
    parser.add_argument("--log", default="", help="file for each failure, as JSON")
    parser.add_argument("--show", type=int, default=5, help="of each kind and family")
    return parser.parse_args()


def modes() -> list[str]:
    """The kernels to run with: compiled ones too where Numba is installed."""
    return ["plain", "fast"] if importlib.util.find_spec("numba") else ["plain"]


def report(run: Run, show: int) -> Counter[str]:
    """Print the failures of a family; the unexplained differences, by kind."""
    kinds: Counter[str] = Counter()
    for found in run.failures:
        kind, text = found["kind"], found["program"]
        if known(text, kind, found["expected"], found.get("causes", ())):
            kinds["known"] += 1
            continue
        kinds[kind] += 1
        if kinds[kind] <= show:
            print(f"\n# {run.family} {found['index']} ({run.mode}): {kind} "
                  f"{found['place']}\n{HEADER}\n{text}\n"
                  f"# PyTorch:  {found['expected']}\n# edutorch: {found['got']}")  # fmt: skip
    told = dict(kinds) or "agree"
    print(f"{run.family} ({run.mode}): {run.programs} programs, {told}", flush=True)
    return kinds


def verdict(seed: int, programs: int, kinds: Counter[str], *, strict: bool) -> int:
    """Print the totals; return the exit status."""
    wrong = sum(kinds[kind] for kind in WRONG)
    raised = sum(kinds[kind] for kind in REFUSALS) - kinds["message"]
    print(f"\nseed {seed}: {programs} programs, {wrong} wrong, {raised} refusals and "
          f"{kinds['message']} messages differ, {kinds['known']} known")  # fmt: skip
    words = kinds["message"] > max(1, programs // MESSAGES)
    lost = kinds["crash"] + kinds["hang"]
    if strict:
        return int(wrong > 0 or raised > 0 or words)
    return int(lost > 0 or wrong > programs // WRONG_RATE)


def main() -> int:
    """Run the families in parallel and report the differences."""
    given = arguments()
    if importlib.util.find_spec("torch") is None:
        print("PyTorch is what edutorch is compared with: pip install torch==2.13.0")
        return 2
    names = given.only.split(",") if given.only else families()
    print(f"seed {given.seed}, {given.seconds:.0f} s, families: {', '.join(names)}")
    runs = [(name, mode) for name in names for mode in modes()]
    share = given.seconds * given.jobs / len(runs)
    programs, kinds = 0, Counter[str]()
    with ThreadPoolExecutor(given.jobs) as pool:
        for run in pool.map(
            lambda r: fuzz(*r, given.seed, given.index, share, given.log), runs
        ):  # fmt: skip
            kinds += report(run, given.show)
            programs += run.programs
    return verdict(given.seed, programs, kinds, strict=given.strict)


if __name__ == "__main__":
    os.chdir(Path(__file__).parents[2])
    sys.exit(main())
