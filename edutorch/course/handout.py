"""Copies the notebooks to a learner's folder without overwriting work.

    python -m edutorch.course notebooks FOLDER

A notebook that the learner has not touched is replaced by a newer one; one that was
changed stays, and the newer one is written next to it as `NAME.new.ipynb`. What was
handed out is remembered in the folder, in `.handed-out.json`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from ..serialization.atomic import replacing
from .course_files import notebooks_folder

__all__ = ["hand_out"]

RECORD: Final = ".handed-out.json"


def hand_out(folder: Path, source: Path | None = None) -> dict[str, str]:
    """Copy the notebooks into `folder`; return what happened to each, by name.

    Args:
        folder: the learner's folder, created if necessary.
        source: the folder of the released notebooks; None for those of edutorch.

    Returns:
        "new", "updated", "unchanged" or "kept", which means a notebook with the
        learner's changes, next to which the newer version was written.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handed = _read(folder)
    told = {}
    for path in sorted((source or notebooks_folder()).glob("*.ipynb")):
        told[path.name] = _hand_out(path, folder, handed)
    _write(folder / RECORD, json.dumps(handed, indent=1, sort_keys=True).encode())
    return told


def _hand_out(path: Path, folder: Path, handed: dict[str, str]) -> str:
    """Copy one notebook if that overwrites no work, and record it in `handed`."""
    newest, target = path.read_bytes(), folder / path.name
    before, now = handed.get(path.name), _digest(newest)
    theirs = _digest(target.read_bytes()) if target.exists() else None
    if theirs == now or (theirs and theirs != before and before == now):
        handed[path.name] = now
        return "unchanged"
    handed[path.name] = now
    if theirs in (None, before):
        _write(target, newest)
        return "new" if theirs is None else "updated"
    _write(target.with_suffix(".new.ipynb"), newest)
    return "kept"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(folder: Path) -> dict[str, str]:
    """What was handed out; nothing counts as untouched if the record is damaged."""
    try:
        entries = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return {str(name): str(digest) for name, digest in entries.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def _write(target: Path, data: bytes) -> None:
    with replacing(target) as file:
        file.write(data)
