"""Read pytest's reports.

`results.py count REPORT...` prints `tests: N passed, N failed, N skipped`, after the
names of the tests that failed and what failed in them. Of a test that ran again
(`NAME-again.xml` beside `NAME.xml`) the second result counts, and its name is printed.
`results.py failed REPORT` prints the files in which a test failed, if they are few.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

MOST_FILES = 3  # with more, something is broken, and no test had bad luck
AGAIN = "-again"
LONGEST_MESSAGE = 500  # characters
WORST = ("failed", "skipped", "passed")  # first: a test may have several entries

Test = tuple[str, str]  # its module and its name


def outcome(case: ET.Element) -> str:
    """What a report says of a test."""
    kinds = {child.tag for child in case}
    if kinds & {"failure", "error"}:
        return "failed"
    return "skipped" if "skipped" in kinds else "passed"


def messages(path: Path) -> dict[Test, str]:
    """What each failed test of a report says, on one line."""
    return {
        (case.get("classname", ""), case.get("name", "")): " ".join(
            child.get("message", "").split()
        )[:LONGEST_MESSAGE]
        for case in (ET.parse(path).iter("testcase") if path.is_file() else ())
        for child in case
        if child.tag in ("failure", "error")
    }


def read(path: Path) -> dict[Test, str]:
    """The tests of a report, and the outcome of each; none if there is no report."""
    results: dict[Test, str] = {}
    for case in ET.parse(path).iter("testcase") if path.is_file() else ():
        test = case.get("classname", ""), case.get("name", "")
        known = results.get(test, "passed")
        results[test] = min(known, outcome(case), key=WORST.index)
    return results


def file_of(module: str) -> Path | None:
    """The file of a module, or of a class in it, as in `tests.nn.test_mlp.TestStep`."""
    parts = module.split(".")
    paths = [Path(*parts[:i]).with_suffix(".py") for i in range(len(parts), 0, -1)]
    return next((path for path in paths if path.is_file()), None)


def failed_files(path: Path) -> Iterator[Path]:
    """The files in which a test failed."""
    modules = {test[0] for test, result in read(path).items() if result == "failed"}
    yield from sorted({path for m in modules if (path := file_of(m)) is not None})


def print_failed(path: str) -> int:
    """Print the files to run again; status 1 if there are none or too many."""
    files = list(failed_files(Path(path)))
    if not 0 < len(files) <= MOST_FILES:
        return 1
    print(*files)
    return 0


def count(paths: list[str]) -> int:
    """Count the tests of all reports; no passed test at all is a failure."""
    total: Counter[str] = Counter()
    for path in map(Path, paths):
        if path.stem.endswith(AGAIN):
            continue
        results = read(path)
        again = read(path.with_stem(path.stem + AGAIN))
        for test in results:
            if results[test] == "failed" and again.get(test) == "passed":
                print(f"passed when it ran again: {test[0]}::{test[1]} ({path.stem})")
        for test, message in messages(path).items():
            if again.get(test) != "passed":
                print(f"failed: {test[0]}::{test[1]} ({path.stem}): {message}")
        total.update((results | again).values())
    words = ", ".join(
        f"{total[kind]} {kind}" for kind in ("passed", "failed", "skipped")
    )
    print(f"tests: {words}")
    return int(total["failed"] > 0 or total["passed"] == 0)


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    sys.exit(count(arguments) if command == "count" else print_failed(*arguments))
