"""Docstrings as the pages of the book show them: sections, formulas, HTML."""

from __future__ import annotations

import re
import textwrap
from html import escape

from latex import latex
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer, PythonLexer

__all__ = [
    "SECTIONS", "formulas", "inline", "items", "program", "prose", "sections",
    "typeset",
]  # fmt: skip

SECTIONS = (
    "Math", "Shape", "Sampling", "Args", "Returns", "Raises", "Attributes", "Example",
    "Reference",
)  # fmt: skip


def sections(doc: str) -> dict[str, list[str]]:
    """The lines of a docstring by section; the prose outside of sections under "".

    A section is the rest of its first line and what is indented below it. Blank lines
    are kept between lines of one section.
    """
    found: dict[str, list[str]] = {"": []}
    name = ""
    for line in doc.splitlines():
        word, colon, rest = line.partition(":")
        if colon and word in SECTIONS:
            name, line = word, rest.strip()
            found[name] = []
        elif line[:1].strip():
            name = ""
        found[name].append(line)
    return {name: _trimmed(lines, name) for name, lines in found.items()}


def _trimmed(lines: list[str], name: str) -> list[str]:
    """A section without outer blank lines, nor indentation below its first line."""
    if name:
        lines = [lines[0], *textwrap.dedent("\n".join(lines[1:])).split("\n")]
    return "\n".join(lines).strip("\n").splitlines()


def formulas(lines: list[str]) -> list[str]:
    """The formulas of a `Math:` section, one a line, separated by wide gaps."""
    told = (line.strip() for line in lines)
    return [part for line in told if line for part in re.split(r"\s{3,}", line)]


def typeset(lines: list[str]) -> str:
    """Formulas as plain text, with the LaTeX that `formulas.js` typesets."""
    found = []
    for line in lines:
        math = latex(line)
        if math is None:
            found.append(f"<p>{inline(line)}</p>")
            continue
        told = f'data-latex="{escape(math)}"'
        found.append(f'<div class="formula" {told}>{escape(line, quote=False)}</div>')
    return "\n".join(found)


def items(lines: list[str]) -> list[tuple[str, str]]:
    """The `name: text` pairs of a section such as `Args:`; "" names plain text."""
    found: list[tuple[str, str]] = []
    for line in lines:
        name, colon, text = line.partition(": ")
        if line[:1].isspace() and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        elif line.strip():
            found.append((name, text) if colon else ("", line))
    return found


def program(lines: list[str]) -> str:
    """A block of code in colours, with or without Python's prompts."""
    prompts = any(line.startswith(">>>") for line in lines)
    lexer = PythonConsoleLexer() if prompts else PythonLexer()
    code = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    name = "pycon" if prompts else "python"
    inner = f'<div class="highlight"><pre>{code}</pre></div>'
    return f'<div class="highlight-{name} notranslate">{inner}</div>'


def prose(lines: list[str]) -> str:
    """Paragraphs and lists; what is indented by four in all lines is a program."""
    found = []
    for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        if all(line.startswith("    ") for line in block.splitlines()):
            found.append(program(textwrap.dedent(block).splitlines()))
            continue
        head, *points = re.split(r"(?:^|\n)- ", block)
        found += [f"<p>{inline(head)}</p>"] if head else []
        listed = "".join(f"<li>{inline(point)}</li>" for point in points)
        found += [f"<ul>{listed}</ul>"] if points else []
    return "\n".join(found)


def inline(text: str) -> str:
    """Text with its `code`; all other signs are themselves."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
