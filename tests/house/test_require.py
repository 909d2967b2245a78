"""EDUTORCH_REQUIRE: what is required may not be skipped."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.house.source_tree import ROOT
from tests.require import chromium, missing, required


@pytest.mark.parametrize("listed", ["torch,browser", "torch browser", " browser,torch"])
def test_required_reads_a_list(monkeypatch, listed):
    monkeypatch.setenv("EDUTORCH_REQUIRE", listed)
    assert required("torch")
    assert required("browser")
    assert not required("gpu")


@pytest.mark.parametrize(
    ("reason", "thing"),
    [
        ("could not import 'torch': No module named 'torch'", "torch"),
        ("needs PyTorch (torch)", "torch"),
        ("no Chromium on this machine", "browser"),
        ("needs CuPy and a GPU", None),
        ("edutorch has no such thing", None),
    ],
)
def test_missing_finds_the_thing_in_the_reason(monkeypatch, reason, thing):
    monkeypatch.setenv("EDUTORCH_REQUIRE", "torch,browser")
    assert missing(reason) == thing


def test_missing_without_requirements_is_never(monkeypatch):
    monkeypatch.delenv("EDUTORCH_REQUIRE", raising=False)
    assert missing("needs torch") is None


def test_chromium_may_be_named(monkeypatch):
    monkeypatch.setenv("EDUTORCH_CHROMIUM", "a-browser")
    assert chromium() == "a-browser"


def test_skip_of_what_is_required_fails(tmp_path):
    test = tmp_path / "test_skips.py"
    test.write_text("import pytest\n\ndef test_a():\n    pytest.skip('no torch')\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", str(test)]
    done = subprocess.run(
        [*command, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")],
        cwd=ROOT,
        env={**os.environ, "EDUTORCH_REQUIRE": "torch"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "EDUTORCH_REQUIRE has 'torch'" in done.stdout
