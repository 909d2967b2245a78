"""The library's files as pages, so that the book can lead to a line without network.

They are plain HTML beside the book's own pages, in `_static/sources`.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

__all__ = ["link", "page", "write"]

FOLDER = "_static/sources"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 1em 2em; }}
{colours}
:target {{ background: #ffec99; }}
</style>
</head>
<body>
<p>{title} · <a href="{back}operations.html">every operation</a></p>
{code}
</body>
</html>
"""


def link(file: str, line: int) -> str:
    """A link to one line of a file of the library, as MyST takes it."""
    return f'<a href="{FOLDER}/{file}.html#line-{line}">{file}, line {line}</a>'


def page(file: str, text: str) -> str:
    """A file as a page whose lines have numbers, and names that links lead to."""
    formatter = HtmlFormatter(linenos="inline", linespans="line")
    return PAGE.format(
        title=escape(file),
        colours=formatter.get_style_defs(".highlight"),
        back="../" * (f"{FOLDER}/{file}".count("/")),
        code=highlight(text, PythonLexer(stripnl=False), formatter),
    )


def write(root: Path, files: set[str], target: Path) -> None:
    """Make the pages of files, which are named from `root` on."""
    for file in sorted(files):
        made = target / FOLDER / f"{file}.html"
        made.parent.mkdir(parents=True, exist_ok=True)
        text = (root / file).read_text(encoding="utf-8")
        made.write_text(page(file, text), encoding="utf-8")
