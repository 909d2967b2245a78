"""What must be there: EDUTORCH_REQUIRE turns a skip into a failure.

`EDUTORCH_REQUIRE=torch,browser` says that PyTorch and Chromium are installed;
a test skipped for want of one of them then fails. `tests/conftest.py` applies
it to every skip whose reason names the thing.
"""

from __future__ import annotations

import os
import re
import shutil

__all__ = ["chromium", "missing", "required"]

# How the reason of a skip names each thing.
NAMES = {
    "torch": r"\btorch\b|pytorch",
    "browser": r"browser|chromium|playwright|notebook 7",
    "nbgrader": r"nbgrader",
    "book": r"\bbook\b|axe-core",
    "mpi": r"\bmpi4py\b|\bmpi\b",
    "onednn": r"\bonednn\b",
    "cupy": r"\bcupy\b(?!.*\bgpu\b)",  # but no GPU: continuous integration has none
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def required(thing: str) -> bool:
    """Whether EDUTORCH_REQUIRE names `thing`."""
    listed = os.environ.get("EDUTORCH_REQUIRE", "")
    return thing in re.split(r"[,\s]+", listed.strip())


def missing(reason: str) -> str | None:
    """The required thing for want of which a test was skipped, or None."""
    for thing, pattern in NAMES.items():
        if required(thing) and re.search(pattern, reason, re.IGNORECASE):
            return thing
    return None


def chromium() -> str | None:
    """Path of an installed Chromium (EDUTORCH_CHROMIUM names another), or None."""
    named = os.environ.get("EDUTORCH_CHROMIUM")
    found = (path for name in BROWSERS if (path := shutil.which(name)))
    return named or next(found, None)
