"""What no file of the project may contain."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from tests.house.source_tree import ROOT, modules, tracked

TEXT = {
    ".cfg",
    ".css",
    ".ipynb",
    ".js",
    ".json",
    ".md",
    ".mjs",
    ".py",
    ".pyi",
    ".rst",
    ".sh",
    ".toml",
    ".ts",
    ".txt",
    ".yaml",
    ".yml",
    "",
}
# Written in pieces, or this file would break its own rule.
REGISTRIES = ("pypi" + ".org", "npmjs" + ".org", "python" + "hosted", "deb.deb" + "ian")
MACHINE = tuple(f"/{name}/" for name in ("work", "root", "opt", "Users"))
LEFTOVER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")


def lines_with(found, paths) -> list[str]:
    """`file:line: text` of every line for which `found(line)` holds."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate(read(path).splitlines(), 1)
        if found(line)
    ]


def read(path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def texts() -> list:
    return [path for path in tracked() if path.suffix in TEXT]


def test_files_name_no_package_registry():
    bad = lines_with(lambda line: any(r in line for r in REGISTRIES), texts())
    assert not bad, "\n".join(bad)


def test_files_name_no_path_of_one_machine():
    absolute = re.compile(
        r"(?<![\w.\-/}\])*:])(" + "|".join(map(re.escape, MACHINE)) + ")"
    )
    bad = lines_with(absolute.search, [p for p in texts() if p.name != "widgets.js"])
    assert not bad, "\n".join(bad)


def test_files_lock_of_the_front_end_holds_no_address():
    lock = ROOT / "widgets" / "package-lock.json"
    if not lock.is_file():
        pytest.skip("the front end has no lock file")
    assert '"resolved"' not in read(lock)


def test_sources_leave_nothing_for_later():
    paths = [p for p in tracked() if p.suffix in {".py", ".ts", ".md", ".sh"}]
    bad = lines_with(LEFTOVER.search, paths)
    assert not bad, "\n".join(bad)


def test_sources_hold_no_bare_assert():
    bare = re.compile(r"^\s*assert\b")
    bad = [
        line
        for line in lines_with(bare.search, [m.path for m in modules()])
        if not line.split(": ", 1)[1].startswith("assert_")
    ]
    assert not bad, "library code raises, it does not assert:\n" + "\n".join(bad)


def test_sources_import_from_the_future():
    first = "from __future__ import annotations"
    typed = (ast.FunctionDef, ast.ClassDef, ast.AnnAssign)
    bad = [
        m.relative
        for m in modules()
        if first not in m.text and any(isinstance(n, typed) for n in ast.walk(m.tree))
    ]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("module", modules(), ids=lambda m: m.name)
def test_comments_hold_no_banner_and_no_code(module):
    tokens = tokenize.generate_tokens(io.StringIO(module.text).readline)
    comments = [t for t in tokens if t.type == tokenize.COMMENT]
    bad = [
        f"{module.relative}:{comment.start[0]}: {comment.string}"
        for comment in comments
        if is_banner_or_code(comment.string)
    ]
    assert not bad, "\n".join(bad)


def is_banner_or_code(comment: str) -> bool:
    """Lines of signs, and statements that were commented out."""
    text = comment.lstrip("# ")
    if re.search(r"[-=*#~_]{6,}", text):
        return True
    code = r"(return|import|from|def|class|if|for|while|raise) .*:?$|\w+ = \w+\(.*\)$"
    return bool(re.match(code, text)) and compiles(text)


def compiles(text: str) -> bool:
    try:
        compile(text + ("\n pass" if text.endswith(":") else ""), "comment", "exec")
    except SyntaxError:
        return False
    return True
