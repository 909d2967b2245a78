"""The library's files as pages, so that the book links to lines without a network.

They are static HTML next to the book's own pages, in `_static/sources`.
"""

from __future__ import annotations

import ast
from functools import cache
from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

__all__ = ["lines_of", "link", "page", "write"]

FOLDER = "_static/sources"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
{colours}
{dark}
{style}
</style>
</head>
<body>
<p>{title} · <a href="{back}operations.html">every operation</a></p>
{code}
</body>
</html>
"""

# The page follows the system's theme; a long line is scrolled inside its box.
STYLE = """\
:root { color-scheme: light dark; }
body { margin: 1em auto; max-width: 60em; padding: 0 1em; font-family: sans-serif; }
.highlight { border-radius: 6px; }
.highlight pre { margin: 0; padding: .8em 1em; overflow-x: auto; line-height: 1.4; }
body { background: #ffffff; color: #14181f; }
a { color: #0b57d0; }
.highlight .linenos { color: #5f6672; margin-right: 1em; user-select: none; }
:target { background: #ffec99; scroll-margin-top: 30vh; }
@media (prefers-color-scheme: dark) {
  body { background: #14171c; color: #f2f4f7; }
  a { color: #8ab4f8; }
  .highlight .linenos { color: #9aa4b2; }
  :target { background: #594c10; }
}"""


@cache
def lines_of(file: Path) -> dict[str, int]:
    """The line on which each class, function or other name of a file begins."""
    found: dict[str, int] = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        else:
            names = [getattr(node, "name", "")]
        found.update(dict.fromkeys(names, node.lineno))
    return found


def link(file: str, line: int, base: str = "") -> str:
    """A link to one line of a file, for a page from which `base` leads to the root."""
    return f'<a href="{base}{FOLDER}/{file}.html#line-{line}">{file}, line {line}</a>'


def page(file: str, text: str) -> str:
    """A file as a page whose lines have numbers, and names that links lead to."""
    formatter = HtmlFormatter(linenos="inline", linespans="line")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    return PAGE.format(
        title=escape(file),
        colours=formatter.get_style_defs(".highlight"),
        dark=f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
        style=STYLE,
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
