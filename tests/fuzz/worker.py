"""The process that runs programs under both libraries and compares the outcomes.

It prints one line of JSON before each program, with its number, so that the driver knows
which one crashed or hung, and one line for each difference.

With compiled kernels, a subclass of `Tensor` is made first: functions then look for its
overrides, as in any process with nested or masked tensors.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from typing import Any

from tests.fuzz.causes import causes
from tests.fuzz.differences import coarsest, difference
from tests.fuzz.outcomes import outcome
from tests.fuzz.programs import family, program
from tests.oracle import torch

import edutorch  # isort: skip

__all__ = ["compare", "shrink"]

LIMIT = 8 << 30  # bytes of address space, so that no program can exhaust the memory


def compare(text: str, name: str) -> dict[str, str]:
    """Run one program under both libraries; {} or what differs."""
    own = family(name)
    names = getattr(own, "names", lambda library: {})
    expected = outcome(text, torch, names(torch))
    got = outcome(text, edutorch, names(edutorch))
    scale = getattr(own, "SCALE", 1)
    kind, place = difference(expected, got, scale, coarsest(text))
    excuses = getattr(own, "excuses", lambda *told: "")
    if not kind or re.fullmatch(excuses(expected, got, text), kind):
        return {}
    both = {"expected": str(expected)[:300], "got": str(got)[:300]}
    return {"kind": kind, "place": place, "program": text, **both}


def shrink(found: dict[str, str], name: str) -> dict[str, str]:
    """The same difference in as few lines as possible."""
    shrunk = True
    while shrunk:
        shrunk = False
        lines = found["program"].splitlines()
        for i in range(len(lines) - 1):
            fewer = compare("\n".join(lines[:i] + lines[i + 1 :]), name)
            if fewer.get("kind") == found["kind"] and _same_refusal(fewer, found):
                found, shrunk = fewer, True
                break
    return found


def with_causes(found: dict[str, str], name: str) -> dict[str, Any]:
    """A failure with the causes that explain it."""
    names = getattr(family(name), "names", lambda library: {})
    return {**found, "causes": causes(found["program"], found["kind"], names)}


def _same_refusal(x: dict[str, str], y: dict[str, str]) -> bool:
    """Whether two failures with exceptions fail with the same ones."""
    raised = x["kind"] in ("refused", "accepted", "exception", "message")
    return not raised or (x["expected"], x["got"]) == (y["expected"], y["got"])


def main(name: str, seed: int, start: int, seconds: float) -> None:
    """Run programs from number `start` on, for so many seconds."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    if os.environ.get("EDUTORCH_KERNELS") == "fast":
        edutorch.zeros(1).as_subclass(type("Own", (edutorch.Tensor,), {}))
    end = time.monotonic() + seconds
    index = start
    while time.monotonic() < end:
        _tell({"at": index})
        found = compare(program(name, seed, index), name)
        if found:
            _tell({"index": index, **with_causes(shrink(found, name), name)})
        index += 1
    _tell({"end": index})


def _tell(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
