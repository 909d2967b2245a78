"""Progress goes to a file of the test, never to the user's."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    path = tmp_path / "home" / "progress.json"
    monkeypatch.setenv("EDUTORCH_PROGRESS", str(path))
    return path
