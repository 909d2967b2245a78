"""Programs by family and number: the same seed gives the same texts everywhere."""

from __future__ import annotations

import importlib
import pkgutil
import random
from types import ModuleType

__all__ = ["families", "family", "program"]


def families() -> list[str]:
    """The names of all families, which are the files of `tests/fuzz/families`."""
    folder = importlib.import_module("tests.fuzz.families")
    return sorted(m.name for m in pkgutil.iter_modules(folder.__path__))


def family(name: str) -> ModuleType:
    """The file of a family."""
    return importlib.import_module(f"tests.fuzz.families.{name}")


def program(name: str, seed: int, index: int) -> str:
    """The text of program `index` of a family."""
    rng = random.Random(f"{seed}/{name}/{index}")
    text: str = family(name).program(rng)
    return text
