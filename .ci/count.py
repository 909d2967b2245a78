"""Print `tests: N passed, N failed, N skipped` from pytest's reports."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET


def main(paths: list[str]) -> int:
    """Count the tests of all reports; no passed test at all is a failure."""
    total = failed = skipped = 0
    for path in paths:
        if not Path(path).is_file():
            continue
        for suite in ET.parse(path).iter("testsuite"):
            total += int(suite.get("tests", 0))
            failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            skipped += int(suite.get("skipped", 0))
    passed = total - failed - skipped
    print(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
