"""Steps that the tests of chapters share."""

from __future__ import annotations

import re

from tests.notebooks.chapters import marks, solved

__all__ = ["assert_every_check_passes", "press", "wait_for"]


def assert_every_check_passes(name: str, printed: dict[str, str]) -> None:
    """Check that every exercise of a chapter that was run has passed its check."""
    checks = [c["id"] for c in solved(name)["cells"] if marks(c).get("grade")]
    assert checks
    assert all("✓" in printed[check] for check in checks)


def press(lab, key: str, times: int = 1) -> None:
    """Press a key so many times."""
    for _ in range(times):
        lab.page.keyboard.press(key)


def wait_for(locator, text: str) -> None:
    """Wait until an element shows text that matches the pattern."""
    locator.filter(has_text=re.compile(text)).wait_for()
