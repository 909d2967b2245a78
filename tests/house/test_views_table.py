"""The table at the end of the notebook of the views: each row names a test that exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (.+) \| (.+) \| `(.+)::(.+)` \|$", re.MULTILINE)
FEATURES = 29  # what comparable tools have, and what their users miss


def rows():
    path = ROOT / "notebooks" / "views.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    (text,) = (
        "".join(c["source"]) for c in cells if "what proves it" in c["source"][0]
    )
    return ROW.findall(text)


def test_table_names_a_test_for_each_feature():
    found = rows()
    assert len(found) == len({what for what, *_ in found}) == FEATURES
    for what, _, file, name in found:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert f"\ndef {name}(" in source, what
