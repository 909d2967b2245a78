"""`.edu` files, with the data of views: zip archives of JSON, written atomically.

A file contains `run.json`, which gives the format and lists the views, and a JSON file
for each view. Reading runs no code, unpacks nothing to disk, and rejects invalid data.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

from ..serialization.atomic import replacing
from .view_schemas import check, check_view

__all__ = ["FORMAT", "pack_views", "read_views", "write_views"]

FORMAT = "edutorch run"
VERSION = 1
LARGEST = 64_000_000  # bytes of one unpacked file
MOST = 64  # views
HEAD = {"format": str, "version": int, "views": [{"kind": str, "title": str}]}

_DAMAGED = (  # OSError: an offset before the beginning
    zipfile.BadZipFile, OSError, zlib.error, EOFError, NotImplementedError,
    RuntimeError,
)  # fmt: skip

View = dict[str, Any]  # kind, title, data


def write_views(path: str | os.PathLike[str], views: list[View]) -> Path:
    """Write views to a temporary file, which is then renamed.

    Args:
        path: usually ends in .edu.
        views: see `pack_views`.

    Example:
        >>> import os, tempfile
        >>> write_views(os.path.join(tempfile.mkdtemp(), "run.edu"), []).name
        'run.edu'
    """
    content = pack_views(views)
    with replacing(path) as file:
        file.write(content)
    return Path(path)


def pack_views(views: list[View]) -> bytes:
    """Views as the bytes of a file.

    Args:
        views: each with `kind` (a key of `SCHEMAS`), `title` and JSON-ready `data`.

    Raises:
        ValueError: if data do not fit their kind.

    Example:
        >>> pack_views([])[:2]
        b'PK'
    """
    for view in views:
        check_view(view["kind"], view["data"])
    head = {
        "format": FORMAT,
        "version": VERSION,
        "views": [{"kind": v["kind"], "title": v["title"]} for v in views],
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("run.json", json.dumps(head, indent=1))
        for i, view in enumerate(views):
            text = json.dumps(view["data"], allow_nan=False, separators=(",", ":"))
            file.writestr(f"view{i}.json", text)
    return buffer.getvalue()


def read_views(path: str | os.PathLike[str]) -> list[View]:
    """Read the views in a file written by `write_views`.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is damaged, too large, of a later version, or something else.

    Example:
        >>> import os, tempfile
        >>> read_views(write_views(os.path.join(tempfile.mkdtemp(), "run.edu"), []))
        []
    """
    content = io.BytesIO(Path(path).read_bytes())
    try:
        with zipfile.ZipFile(content) as file:
            head = _json(file, "run.json")
            check(head, HEAD, "run.json")
            _check_head(head)
            return [
                entry | {"data": _view_data(file, i, entry["kind"])}
                for i, entry in enumerate(head["views"])
            ]
    except _DAMAGED as error:
        raise ValueError(
            f"{_name(path)} is not a file of views, or is damaged: {error}"
        ) from error
    except ValueError as error:
        raise ValueError(f"{_name(path)}: {error}") from error


def _name(path: str | os.PathLike[str]) -> str:
    return Path(path).name


def _check_head(head: dict[str, Any]) -> None:
    if head["format"] != FORMAT:
        raise ValueError(f"expected the format {FORMAT!r}, got {head['format']!r}")
    if head["version"] > VERSION:
        raise ValueError(
            f"written by a newer edutorch: version {head['version']}, "
            f"this one reads {VERSION}"
        )
    if len(head["views"]) > MOST:
        raise ValueError(f"expected at most {MOST} views, got {len(head['views'])}")


def _view_data(file: zipfile.ZipFile, i: int, kind: str) -> dict[str, Any]:
    data = _json(file, f"view{i}.json")
    check_view(kind, data)
    return data


def _json(file: zipfile.ZipFile, name: str) -> Any:
    """Read a member as JSON, up to the size limit, whatever size it claims."""
    try:
        with file.open(name) as member:
            content = member.read(LARGEST + 1)
    except KeyError:
        raise ValueError(f"{name} is missing") from None
    if len(content) > LARGEST:
        raise ValueError(f"{name} has more than {LARGEST:,} bytes")
    try:
        return json.loads(content, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError(f"{name} is nested too deeply") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
