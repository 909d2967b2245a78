"""The package's public names."""

from __future__ import annotations

import subprocess
import sys

import edutorch.inspect


def test_inspect_when_imported_offers_its_public_names():
    assert all(hasattr(edutorch.inspect, name) for name in edutorch.inspect.__all__)


def test_inspect_when_imported_needs_no_jupyter():
    code = (
        "import sys, edutorch.inspect; "
        "print([m for m in ('IPython', 'ipywidgets', 'anywidget') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
