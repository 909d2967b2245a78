"""The room's own page: a map of its files."""

from __future__ import annotations

import re
from pathlib import Path

import edutorch.autograd as autograd


def test_map_names_every_file_and_no_other():
    folder = Path(autograd.__file__).parent
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    assert set(re.findall(r"`(\w+\.py)`", autograd.__doc__)) == files
