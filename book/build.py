"""Build the book: execute the chapters, store their pictures, run Sphinx.

Everything is written to `book/_build`, without network. The chapters in `notebooks/`
are executed again in a separate folder, without the reader's outputs and files. The
build fails if a chapter raises an error or shows an excuse instead of a result, if
Sphinx warns, if a link is broken, or if a page would load anything from elsewhere.

If EDUTORCH_EXECUTED names a folder, the chapters are executed with their checks, and
stored there for `tests/notebooks/test_executed.py`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import interactions
import nbformat
import operations
import reference_pages
import source_pages
import stills
from nbclient import NotebookClient

from edutorch.course import interactions as course
from edutorch.widgets.bundle import source

BOOK = Path(__file__).resolve().parent
ROOT = BOOK.parent
SOURCE = BOOK / "_build" / "source"
HTML = BOOK / "_build" / "html"
VIEW = "application/vnd.jupyter.widget-view+json"
STILL = ("image/svg+xml", "image/png", "text/plain")
SECONDS_A_CELL = 900  # on slow machines
NOWHERE = "http://127.0.0.1:9"  # nothing listens here, so any request fails at once
PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
# Texts that chapters show instead of a result if something is missing.
EXCUSES = re.compile(r".*(is not installed here|did not (start|end) (here|within)).*")
AT_ONCE = min(4, os.cpu_count() or 1)  # chapters that are executed in parallel
KINDS = {kind for name in course.__all__ if (kind := getattr(course, name).kind)}


def main() -> None:
    """Prepare the sources, build the pages, then check them."""
    shutil.rmtree(BOOK / "_build", ignore_errors=True)
    (SOURCE / "chapters").mkdir(parents=True)
    for page in (BOOK / "conf.py", *BOOK.glob("*.md")):
        shutil.copy(page, SOURCE)
    shutil.copytree(BOOK / "templates", SOURCE / "_templates")
    (SOURCE / "operations.md").write_text(operations.page(), encoding="utf-8")
    reference_pages.write(SOURCE / "reference")
    files = {entry.file for entry in operations.entries()} | reference_pages.files()
    source_pages.write(ROOT, files, SOURCE)
    copy_mathjax(SOURCE / "_static" / "mathjax")
    for page in ("book.css", "formulas.js", "scrolling.js"):
        shutil.copy(BOOK / page, SOURCE / "_static")
    program = interactions.script(source("course"))
    (SOURCE / "_static" / "interactions.js").write_text(program, encoding="utf-8")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in pool.map(make_page, chapters(ROOT / "notebooks")):
            print(line, flush=True)
    call_sphinx()
    foreign, dead = requests_elsewhere(HTML), dead_links(HTML)
    if foreign:
        sys.exit("pages would fetch from other machines:\n" + "\n".join(foreign))
    if dead:
        sys.exit("links that lead nowhere:\n" + "\n".join(dead))
    print(f"book: {(HTML / 'index.html').relative_to(ROOT)}")


def chapters(folder: Path) -> list[Path]:
    """The notebooks of the course, without a reader's own ones in the folder."""
    own = re.compile(r"\d\d-[a-z-]+|views")
    return sorted(p for p in folder.glob("*.ipynb") if own.fullmatch(p.stem))


def make_page(path: Path) -> str:
    """Execute a chapter and write it as a source of Sphinx; return a line of log."""
    start = time.perf_counter()
    chapter = executed(path, BOOK / "_build" / "run" / path.stem)
    refuse_excuses(chapter, path.name)
    interactions.keep_interactions(chapter, KINDS)
    keep_pictures(chapter)
    stills.follow_theme(chapter)
    join_streams(chapter)
    nbformat.write(chapter, SOURCE / "chapters" / path.name)
    return f"{path.name}: executed in {time.perf_counter() - start:.1f} s"


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """The chapter with outputs, except those of answers and checks.

    Answers run, so that later cells find their names; they may fail. Checks run only if
    EDUTORCH_EXECUTED is set.

    Args:
        path: the chapter, which may contain outputs of an earlier run.
        folder: created for the chapter's files, progress and training runs.
    """
    chapter = without_outputs(nbformat.read(path, as_version=4))
    everything = chapter.cells
    answers = [cell for cell in everything if marks(cell).get("solution")]
    for cell in answers:
        cell.metadata.setdefault("tags", []).append("raises-exception")
    kept = os.environ.get("EDUTORCH_EXECUTED")
    if not kept:
        chapter.cells = [cell for cell in everything if not marks(cell).get("grade")]
    folder.mkdir(parents=True)
    own = {"EDUTORCH_RUNS": "runs.db", "EDUTORCH_PROGRESS": "progress.json"}
    env = {n: v for n, v in os.environ.items() if not n.startswith("EDUTORCH_")}
    env |= dict.fromkeys(PROXIES, NOWHERE)
    NotebookClient(
        chapter,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
    ).execute(env=env | {name: str(folder / file) for name, file in own.items()})
    if kept:
        Path(kept).mkdir(parents=True, exist_ok=True)
        nbformat.write(chapter, Path(kept) / path.name)
    chapter.cells = everything
    forget(cell for cell in everything if marks(cell))
    return chapter


def refuse_excuses(chapter: nbformat.NotebookNode, name: str) -> None:
    """Refuse a chapter in which a cell has an excuse instead of a result.

    Raises:
        RuntimeError: with the text of the excuse.
    """
    for cell in chapter.cells:
        for output in cell.get("outputs", []):
            found = EXCUSES.search(str(output.get("text", "")))
            if found:
                raise RuntimeError(f"{name}, cell {cell.id}: {found[0]}")


def without_outputs(chapter: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The chapter without outputs and states of widgets."""
    chapter.metadata.pop("widgets", None)
    forget(chapter.cells)
    return chapter


def forget(cells: Iterable[nbformat.NotebookNode]) -> None:
    """Remove the outputs of code cells."""
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def marks(cell: nbformat.NotebookNode) -> dict[str, Any]:
    """The metadata of nbgrader in a cell, which mark answers and checks."""
    return cell.metadata.get("nbgrader", {})


def keep_pictures(chapter: nbformat.NotebookNode) -> None:
    """Remove the live view wherever a picture or a text can replace it.

    Viewers without a kernel prefer the live view and then show nothing. The first
    line of the text becomes the picture's alternative text. A live view whose picture
    is the next output is removed altogether.
    """
    chapter.metadata.pop("widgets", None)
    for cell in chapter.cells:
        outputs = cell.get("outputs", [])
        outputs[:] = [
            output
            for output, after in zip(outputs, [*outputs[1:], None], strict=False)
            if not (VIEW in output.get("data", {}) and has_picture(after))
        ]
        for output in outputs:
            data = output.get("data", {})
            if VIEW in data and any(still in data for still in STILL):
                del data[VIEW]
                words = data.get("text/plain", "").partition("\n")[0]
                if words:
                    cell.metadata["mystnb"] = {"image": {"alt": words}}


def join_streams(chapter: nbformat.NotebookNode) -> None:
    """Join consecutive outputs of the same stream, which are shown as one box."""
    for cell in chapter.cells:
        joined: list[nbformat.NotebookNode] = []
        for output in cell.get("outputs", []):
            before = joined[-1] if joined else {}
            if output.output_type == "stream" and before.get("name") == output.name:
                before["text"] += output.text
            else:
                joined.append(output)
        if joined:
            cell.outputs = joined


def has_picture(output: nbformat.NotebookNode | None) -> bool:
    """Whether this is the still picture of the live view before it."""
    data = {} if output is None else output.get("data", {})
    return VIEW not in data and "edutorch-still" in data.get(STILL[0], "")


def call_sphinx() -> None:
    """Build the pages; conf.py imports files of this folder."""
    folders = [str(BOOK), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "auto"]
    command += ["-b", "html", str(SOURCE), str(HTML)]
    subprocess.run(command, env=env, check=True)


def copy_mathjax(target: Path) -> None:
    """MathJax as a wheel ships it, without the menus' translations."""
    spec = find_spec("jupyter_server_mathjax")
    source = Path(spec.origin).parent / "static"
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("localization"))


def requests_elsewhere(folder: Path) -> list[str]:
    """Scripts, styles, fonts and pictures with an address of another machine."""
    fetched = re.compile(
        r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["'](?:https?:)?//[^"']+"""
        r"""|<link\b(?=[^>]*\brel=["'](?:stylesheet|preload|preconnect))"""
        r"""[^>]*\bhref=["'](?:https?:)?//[^"']+"""
    )
    return [
        f"{page.relative_to(folder)}: {match.group()}"
        for page in sorted(folder.rglob("*.html"))
        for match in fetched.finditer(page.read_text(encoding="utf-8"))
    ]


def dead_links(folder: Path) -> list[str]:
    """Links to missing pages, or to missing anchors in pages."""
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    places = {p: set(re.findall(r"""\bid=["']([^"']+)""", texts[p])) for p in texts}
    dead = []
    for page in sorted(texts):
        links = set(re.findall(r"""<a\b[^>]*\bhref=["']([^"']*)""", texts[page]))
        for link in sorted(link for link in links if not re.match("[a-z]+:", link)):
            address, _, place = unquote(unescape(link)).partition("#")
            file = address.partition("?")[0]
            target = (page.parent / file).resolve() if file else page
            if not target.exists() or (place and place not in places.get(target, ())):
                dead.append(f"{page.relative_to(folder)}: {link}")
    return dead


if __name__ == "__main__":
    main()
