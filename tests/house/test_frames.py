"""Stepping through a training step: the table in CONTRIBUTING, counted again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "frames.py"


def counted(name: str):
    """What a function of the script finds in a process where nothing ran before."""
    program = f"import json, runpy; found = runpy.run_path({str(SCRIPT)!r})"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; print(json.dumps(found[{name!r}]()))"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def promised() -> dict[str, list[int]]:
    """The numbers behind each name in the table."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("## Frames of a training step")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\w.*?) \| (\d.*?) \|$", table, re.MULTILINE)
    return {name: [int(n) for n in re.findall(r"\d+", found)] for name, found in rows}


def test_functions_entered_are_no_more_than_the_table_says(promised):
    parts = counted("training_step")
    counts = {name: [len(found)] for name, found in parts.items()}
    files = {file for found in parts.values() for _, file, _ in found}
    counts["together"] = [sum(n for (n,) in counts.values()), len(files)]
    more = {
        name: (found, promised[name])
        for name, found in counts.items()
        if any(n > m for n, m in zip(found, promised[name], strict=True))
    }
    assert more == {}


def test_an_optimizer_enters_at_most_twelve_functions_a_parameter(promised):
    assert promised["adam"][0] <= 4 * 12 + 8  # eight for the step as a whole


def test_lines_to_the_mathematics_are_no_more_than_the_table_says(promised):
    counts = counted("to_the_mathematics")
    assert {
        name: n for name, n in counts.items() if not 0 < n <= promised[name][0]
    } == {}
