"""Stepping through a training step: the table in CONTRIBUTING, counted again."""

from __future__ import annotations

import io
import json
import os
import pdb  # noqa: T100 (its skip list is tested)
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.config import DEBUGGER_SKIP

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
    rows = re.findall(r"^\| (\w.*?) \| (\d.*) \|$", table, re.MULTILINE)
    return {name: [int(n) for n in re.findall(r"\d+", found)] for name, found in rows}


def test_functions_entered_are_no_more_than_the_table_says(promised):
    more = {
        name: (found, promised[name])
        for name, found in counted("functions_entered").items()
        if any(n > m for n, m in zip(found, promised[name], strict=True))
    }
    assert more == {}


def test_a_training_step_shows_its_mathematics_in_few_files(promised):
    functions, _, left, files_left = promised["together"]
    assert functions <= 150
    assert left <= 50
    assert files_left <= 20


def test_an_optimizer_enters_at_most_twelve_functions_a_parameter(promised):
    assert promised["adam"][0] <= 4 * 12


def test_few_frames_lie_between_a_call_and_its_formula(promised):
    found = counted("frames_to_the_mathematics")
    assert [promised[name] for name in found] == [[n] for n in found.values()]
    assert found["linear(x) to its formula"] <= 4


def test_lines_to_the_mathematics_are_no_more_than_the_table_says(promised):
    counts = {
        name: [len(every), len(skipping)]
        for name, (every, skipping) in counted("to_the_mathematics").items()
    }
    more = {
        name: (found, promised[name])
        for name, found in counts.items()
        if any(n > m for n, m in zip(found, promised[name], strict=True))
    }
    assert more == {}


def test_the_skip_list_leads_to_the_mathematics_in_few_steps(promised):
    assert promised["conv(x) to the convolution"][1] <= 20
    assert promised["batch_norm(x) to its formula"][1] <= 20
    assert promised["lstm(x) to its loop over time"][1] <= 30
    assert promised["backward() to the first formula"][1] <= 20


def test_the_skip_list_names_modules_that_exist():
    names = [n for n in DEBUGGER_SKIP if "*" not in n]
    assert names == [n for n in names if find_spec(n)]


def test_launch_configurations_skip_what_the_list_does():
    launch = json.loads((ROOT / ".vscode" / "launch.json").read_text())
    expected = [
        {"module": name, "include": False} for name in DEBUGGER_SKIP if "*" not in name
    ]
    for configuration in launch["configurations"]:
        assert configuration["rules"] == expected
        assert configuration["justMyCode"] is False  # or no line of edutorch is shown


def test_pdb_with_the_skip_list_steps_from_a_call_to_its_forward():
    commands = io.StringIO("step\n" * 100 + "continue\n")
    seen = io.StringIO()
    debugger = pdb.Pdb(
        stdin=commands, stdout=seen, skip=DEBUGGER_SKIP, nosigint=True, readrc=False
    )
    debugger.use_rawinput = False
    conv, x = nn.Conv2d(1, 1, 2), torch.zeros(1, 1, 3, 3)
    with torch.config.kernels("plain"):
        debugger.runcall(conv, x)
    places = re.findall(r".*edutorch/(\S+)\(\d+\)(\w+)\(", seen.getvalue())
    assert ("ops/conv/convolution.py", "forward") in places
    assert ("kernels/plain/conv.py", "conv_forward") in places
    assert not [file for file, _ in places if file.startswith(("autograd", "tensor"))]
