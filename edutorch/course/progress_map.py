"""The map of the course: a row per chapter, a cell per exercise."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from .course_files import notebooks_folder
from .exercise import Exercise

__all__ = ["advice", "map_of", "titles"]

Row = tuple[Exercise, int, bool]  # tries, and whether it was passed
MANY: Final = 5  # tries after which an exercise is worth another look
FIELD: Final = (
    "display:inline-block;min-width:3.6em;margin:1px;padding:1px 4px;border-radius:4px;"
    "text-align:center;font-size:90%;border:1.5px "
)
# Okabe and Ito's blue and vermilion; signs and lines say the same without colours.
PASSED: Final = FIELD + "solid #0072b2;background:#0072b2;color:#ffffff"
TRIED: Final = FIELD + "dashed #d55e00"
UNTRIED: Final = FIELD + "solid #8b95a3"


def map_of(rows: Sequence[Row]) -> str:
    """The map as HTML: passed, attempted and remaining exercises.

    Args:
        rows: each exercise with its tries, and whether it was passed.
    """
    names = titles()
    lines = []
    for number, group in groupby(rows, key=lambda row: row[0].id.split(".")[0]):
        chapter = list(group)
        done = sum(passed for _, _, passed in chapter)
        title = html.escape(names.get(number, f"Chapter {number}"))
        fields = "".join(map(_field, chapter))
        left = "style='text-align:left'"
        lines.append(
            f"<tr><th scope='row' {left}>{title}</th>"
            f"<td style='white-space:nowrap'>{done} of {len(chapter)}</td>"
            f"<td style='text-align:left'>{fields}</td></tr>"
        )
    table = "<table aria-label='Map of the course' style='color:inherit'>"
    return f"{table}{''.join(lines)}</table>"


def advice(rows: Sequence[Row]) -> list[str]:
    """Sentences on what comes next and what to repeat.

    Example:
        >>> advice([(Exercise("02.1", "backward of mul", 1, (), print), 0, False)])
        ['Next: 02.1, backward of mul.']
    """
    sentences = []
    left = [exercise for exercise, _, passed in rows if not passed]
    if left:
        sentences.append(f"Next: {left[0].id}, {left[0].title}.")
    again = [f"{e.id} ({tries} tries)" for e, tries, _ in rows if tries >= MANY]
    if again:
        sentences.append(f"Worth repeating: {', '.join(again)}.")
    return sentences


def titles() -> dict[str, str]:
    """The heading of each chapter, by number; empty without notebooks.

    Example:
        >>> titles()["01"].split(" ")[0]
        '1.'
    """
    try:
        paths = sorted(notebooks_folder().glob("[0-9]*.ipynb"))
    except FileNotFoundError:
        return {}
    found = {}
    for path in paths:
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
        heading = "".join(first).split("\n")[0]
        found[path.name.split("-")[0]] = heading.removeprefix("# ").strip()
    return found


def _field(row: Row) -> str:
    exercise, tries, passed = row
    look = PASSED if passed else TRIED if tries else UNTRIED
    mark = "✓ " if passed else ""
    count = "1 try" if tries == 1 else f"{tries} tries"
    state = "passed" if passed else "tried" if tries else "still to do"
    words = f"{exercise.title}: {state}" + (f", {count}" if tries else "")
    counted = f" · {tries}" if tries and not passed else ""
    return (
        f'<span style="{look}" title="{html.escape(words)}" '
        f'aria-label="{html.escape(f"{exercise.id} {words}")}">'
        f"{mark}{exercise.id}{counted}</span>"
    )
