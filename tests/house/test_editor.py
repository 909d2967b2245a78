"""Breakpoints inside the library are hit: the editor's settings allow it."""

from __future__ import annotations

import json

import pytest

from tests.house.source_tree import ROOT


def settings(name: str) -> dict:
    return json.loads((ROOT / ".vscode" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", settings("launch.json")["configurations"])
def test_launch_every_entry_stops_in_library_code(entry):
    assert entry["justMyCode"] is False


@pytest.mark.parametrize("key", ["debugpy.debugJustMyCode", "jupyter.debugJustMyCode"])
def test_settings_stop_in_library_code(key):
    assert settings("settings.json")[key] is False
