"""The results on which the Python and TypeScript halves of a view must agree."""

from __future__ import annotations

import json
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "widgets" / "test" / "fixtures"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.json"))


def fixture(name: str) -> dict:
    """One of the shared results: `data`, `expanded`, `expected`."""
    return json.loads((FIXTURES / f"{name}.json").read_text())
