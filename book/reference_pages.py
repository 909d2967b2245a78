"""The API reference as pages of the book: one per namespace, and their table.

The entries are HTML, since Sphinx takes a minute for so many of its own. `names.json`
lists them: `conf.py` makes them Sphinx's Python objects, so the book's search finds
them first. Each is an anchor: `reference/torch.nn.html#torch.nn.Linear`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import takewhile
from pathlib import Path

import source_pages
from docstrings import formulas, inline, items, program, prose, typeset
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from reference import NAMESPACES, TENSOR, Entry, doc_of, entries
from signatures import wrapped

__all__ = ["files", "page", "table", "write"]

HEAD = """# API reference

{count} public names of {spaces} namespaces, each with its arguments, formulas, shapes,
an example that runs, and its line in the source. A class lists the methods that it adds
to those of its bases. Write a name into the search of the side bar to find it. The
[page of operations](../operations.md) has the same formulas by file.
"""


def write(target: Path) -> None:
    """Make the table and the pages in a folder."""
    names: dict[str, list[tuple[str, str]]] = {}
    target.mkdir(parents=True)
    (target / "index.md").write_text(table(), encoding="utf-8")
    for spaces in NAMESPACES.values():
        for space in spaces:
            (target / f"{space}.md").write_text(page(space), encoding="utf-8")
            if not _is_alias(space):
                names[space] = [(entry.full, entry.kind) for entry in entries(space)]
    (target / "names.json").write_text(json.dumps(names), encoding="utf-8")


def files() -> set[str]:
    """The files of the library that entries lead to."""
    spaces = (space for group in NAMESPACES.values() for space in group)
    return {e.file for space in spaces for e in entries(space) if e.file}


def table() -> str:
    """The page that leads to those of the namespaces."""
    spaces = [space for group in NAMESPACES.values() for space in group]
    count = sum(len(entries(space)) for space in spaces)
    lines = [HEAD.format(count=count, spaces=len(spaces))]
    for group, members in NAMESPACES.items():
        about = [inline(" ".join(_summary(doc_of(space)))) for space in members]
        lines += [f"## {group}", "", "```{raw} html", "<ul>"]
        lines += [
            f'<li><a href="{space}.html"><code>{space}</code></a>: {text}</li>'
            for space, text in zip(members, about, strict=True)
        ]
        lines += [
            "</ul>",
            "```",
            "",
            "```{toctree}",
            ":hidden:",
            "",
            *members,
            "```",
            "",
        ]
    return "\n".join(lines)


def _summary(doc: dict[str, list[str]]) -> list[str]:
    """The first paragraph."""
    return list(takewhile(str.strip, doc[""]))


@cache
def page(space: str) -> str:
    """One namespace: what it is for, an index, and the entries as HTML."""
    found = entries(space)
    # Methods are found below their class.
    first = [e for e in found if "." not in e.name or space == TENSOR]
    links = [f'<a href="#{e.full}">{e.name.split(".")[-1]}</a>' for e in first]
    block = [prose(_summary(doc_of(space))), f'<p class="names">{" ".join(links)}</p>']
    if _is_alias(space):
        block += ["<ul>", *(f"<li>{_line(entry)}</li>" for entry in found), "</ul>"]
    else:
        block += [line for entry in found for line in _entry(entry)]
    return "\n".join([f"# {space}", "", "````{raw} html", *block, "````", ""])


def _is_alias(space: str) -> bool:
    """Whether a namespace has no name that another lacks."""
    return all(entry.same for entry in entries(space))


def _line(entry: Entry) -> str:
    """A name that another namespace tells in full."""
    same = f"the same as {_link(entry.same)}" if entry.same else "a module"
    return f'<a id="{entry.full}"></a><code>{entry.name}</code>: {same}'


def _entry(entry: Entry) -> Iterator[str]:
    """One name in the markup that Sphinx's themes know."""
    if entry.kind == "module":
        yield f"<p>{_line(entry)}</p>"
        return
    yield f'<dl class="py {entry.kind}">'
    anchor = f'<a class="headerlink" href="#{entry.full}" title="Link">#</a>'
    yield f'<dt class="sig highlight" id="{entry.full}">{_heading(entry)}{anchor}</dt>'
    yield "<dd>"
    if entry.same:
        yield prose(_summary(entry.doc))
        yield f"<p>The same as {_link(entry.same)}.</p>"
    else:
        yield from _told(entry)
    yield f'<p class="places">{" · ".join(_places(entry))}</p>'
    yield "</dd></dl>"


def _heading(entry: Entry) -> str:
    """What kind of thing it is, its name, and its arguments in colours."""
    kind = (
        "" if entry.kind in ("function", "method", "data") else f"<i>{entry.kind}</i> "
    )
    call = wrapped(entry.full + entry.signature).removeprefix(entry.full)
    code = highlight(call, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    path, _, last = entry.full.rpartition(".")
    return f"{kind}{path}.<b>{last}</b>{code.rstrip()}"


def _told(entry: Entry) -> Iterator[str]:
    """The sections of a docstring."""
    doc = entry.doc
    yield prose(doc[""])
    yield typeset(formulas(doc.get("Math", [])))
    if shapes := [line.strip() for line in doc.get("Shape", [])]:
        yield f'<p class="shapes">Shapes: {"<br>".join(map(_shape, shapes))}</p>'
    for name in ("Sampling", "Args", "Attributes", "Returns", "Raises"):
        if name in doc:
            title = "Arguments" if name == "Args" else name
            yield f'<p class="section">{title}</p>'
            yield from _items(doc[name])
    if "Example" in doc:
        yield program(doc["Example"])
    if "Reference" in doc:
        text = " ".join(line.strip() for line in doc["Reference"])
        yield f"<p><i>Reference:</i> {inline(text)}</p>"


def _shape(line: str) -> str:
    """`(n, m) -> (m, n)` and the words after it."""
    return f"<code>{escape(line, quote=False)}</code>"


def _items(lines: list[str]) -> Iterator[str]:
    """`name: text` pairs as a list; text alone as a paragraph."""
    pairs = items(lines)
    named = [(name, text) for name, text in pairs if name]
    yield from (f"<p>{inline(text)}</p>" for name, text in pairs if not name)
    listed = (f"<li>{inline(f'`{name}`: {text}')}</li>" for name, text in named)
    yield f"<ul>{''.join(listed)}</ul>" if named else ""


def _places(entry: Entry) -> Iterator[str]:
    """Links to the source and to the page of operations."""
    if entry.file:
        yield source_pages.link(entry.file, entry.line, "../")
    if entry.operation:
        href = f"../operations.html#{entry.operation}"
        yield f'<a href="{href}">on the page of operations</a>'


def _link(full: str) -> str:
    """A link to an entry, or to the page of a namespace."""
    spaces = [s for group in NAMESPACES.values() for s in group]
    if full in spaces:
        return f'<a href="{full}.html">{full}</a>'
    space = max((s for s in spaces if full.startswith(f"{s}.")), key=len)
    return f'<a href="{space}.html#{full}">{full}</a>'
