"""The table: printed, stored, and read again where PyTorch is not installed."""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
from pathlib import Path
from typing import Any

import numpy as np

from .rounds import Row
from .worker import seconds_of

__all__ = [
    "STORED", "beside_stored", "line", "machine", "mean_ratio", "read", "write",
]  # fmt: skip

STORED = Path(__file__).with_name("stored.json")
NOISY = 0.15  # ratios of rounds that differ by more say little


def machine() -> dict[str, Any]:
    """What has been timed on, and how fast NumPy is there."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "reference_ms": reference() * 1e3,
    }


def reference() -> float:
    """The time of a piece of work by NumPy alone, to compare machines by."""
    x = np.linspace(0.1, 1.0, 200_000, dtype=np.float32)

    def step() -> Any:
        return np.exp(np.sqrt(x) * x + x).sum()

    return statistics.median(seconds_of(step, 0.02) for _ in range(9))


def write(path: Path, rows: list[Row], workers: list[dict[str, Any]]) -> None:
    """Store a table as JSON."""
    table = {
        "machine": machine(), "libraries": workers, "rows": [r.as_json() for r in rows]
    }  # fmt: skip
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def read(path: Path = STORED) -> dict[str, Any]:
    """A table that was stored; without rows if none was."""
    if not path.exists():
        return {"machine": {}, "rows": []}
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


def beside_stored(row: Row, table: dict[str, Any], now: dict[str, Any]) -> Row:
    """A row with PyTorch's time of a stored table, in place of a measurement.

    The stored time is multiplied by how much longer NumPy takes here than it took
    there, which is right to a factor of 1.5 or so.
    """
    old = {r["name"]: r for r in table["rows"]}.get(row.name)
    if old is None or old["theirs"] is None:
        return row
    slower = now["reference_ms"] / table["machine"]["reference_ms"]
    row.theirs = old["theirs"] * slower
    row.ratio = row.ours / row.theirs
    return row


def mean_ratio(rows: list[Row]) -> float | None:
    """The geometric mean of the ratios."""
    ratios = [r.ratio for r in rows if r.ratio]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def line(row: Row) -> str:
    """A row as text; noise and errors are named behind it."""
    if row.error:
        return f"{row.name:20}  {row.error} (by {row.difference:.1e})"
    text = f"{row.name:20}{row.ours:11.3f}"
    if row.theirs is not None and row.ratio is not None:
        text += f"{row.theirs:11.3f}{row.ratio:8.2f}{row.spread:8.0%}"
    return text + ("  noisy" if row.spread > NOISY else "")
