"""Finds lines that store tensors in a variable or container, and suggests a fix.

They are found by name in the text of the program: `losses.append(loss)`,
`self.total += loss`, `cache[key] = out`.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from .. import callers
from ..errors import shown_file
from ..syntax_trees import tree_of

__all__ = [
    "RetainingLine",
    "retaining_lines_in",
    "find_retaining_lines",
    "find_retain_graph",
    "program_files",
]

FILES = 64
_ADDING_METHODS = (
    "append",
    "appendleft",
    "add",
    "insert",
    "extend",
    "put",
    "setdefault",
)
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


class RetainingLine(NamedTuple):
    """A source line that stores a value under a name and so keeps it alive.

    Attributes:
        kind: "container", "sum" or "variable".
        file, line, func: its place.
        text: the line.
        value: the stored expression; None if it spans several lines.
        hook: whether the line is in a hook.
    """

    kind: str
    file: str
    line: int
    func: str
    text: str
    value: Any
    hook: bool

    def place(self) -> dict[str, Any]:
        """The line as JSON."""
        return {
            "file": shown_file(self.file), "line": self.line, "func": self.func,
            "text": self.text.strip(),
        }  # fmt: skip

    def changed(self, suffix: str, part: Any = None) -> str:
        """The line with `.item()` or the like after the stored expression.

        Args:
            suffix: to add.
            part: the index in a stored tuple, or the key in a dict.
        """
        value = _part_of(self.value, part)
        if value is None or value.lineno != value.end_lineno:
            return ""
        raw = linecache.getline(self.file, value.lineno).rstrip("\n").encode()
        start, stop = value.col_offset, value.end_col_offset
        words = raw[start:stop].decode()
        if not isinstance(value, _ATOMS):
            words = f"({words})"
        return (raw[:start].decode() + words + suffix + raw[stop:].decode()).strip()


def _part_of(value: Any, part: Any) -> Any:
    if isinstance(value, ast.Tuple | ast.List) and value.elts:
        at = part if isinstance(part, int) and part < len(value.elts) else 0
        return value.elts[at]
    if isinstance(value, ast.Dict):
        for key, held in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == part:
                return held
    return value


def program_files() -> list[str]:
    """Files whose lines ran ops, and cells of the notebook, newest first."""
    files = dict.fromkeys(place.file for place in list(callers._sources)[::-1])
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = getattr(getattr(shell, "compile", None), "_filename_map", {})
    numbered = sorted(cells, key=lambda file: -cells[file])
    return list(dict.fromkeys([*numbered, *files]))[:FILES]


def find_retaining_lines(name: str, files: list[str]) -> Iterator[RetainingLine]:
    """Lines that store something under a name, in file order.

    Args:
        name: of a variable, an attribute or a key.
        files: where to look.
    """
    for file in files:
        yield from _retaining_lines_of(file, _stamp(file)).get(name, ())


def retaining_lines_in(file: str, func: str) -> Iterator[tuple[str, RetainingLine]]:
    """Calls such as `kept.append(loss)` in a function, with the name of the container.

    Args:
        file: where the function is.
        func: its name.
    """
    for name, lines in _retaining_lines_of(file, _stamp(file)).items():
        for retaining in lines:
            if retaining.func == func != "" and retaining.kind == "container":
                yield name, retaining


def find_retain_graph(files: list[str]) -> tuple[dict[str, Any], str] | None:
    """A line with `backward(retain_graph=True)`, and the corrected line."""
    for file in files:
        tree = tree_of(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Call) and any(map(_retains, node.keywords)):
                text = linecache.getline(file, node.lineno).strip()
                place = {"file": shown_file(file), "line": node.lineno, "func": ""}
                changed = text
                for words in (", retain_graph=True", "retain_graph=True"):
                    changed = changed.replace(words, "")
                return place | {"text": text}, changed
    return None


def _retains(keyword: ast.keyword) -> bool:
    value = keyword.value
    true = isinstance(value, ast.Constant) and value.value is True
    return keyword.arg == "retain_graph" and true


def _stamp(file: str) -> int:
    """A hash of a file's text."""
    return hash(tuple(linecache.getlines(file)))


@lru_cache(maxsize=128)
def _retaining_lines_of(file: str, stamp: int) -> dict[str, list[RetainingLine]]:
    tree = tree_of(file)
    found: dict[str, list[RetainingLine]] = {}
    if tree is None:
        return found
    hooks = {name for node in ast.walk(tree) for name in _hooks_in(node)}
    for node, func, hook in _visit(tree, "", False, hooks):
        for name, kind, value in _stored_values(node):
            line = node.lineno
            text = linecache.getline(file, line).rstrip("\n")
            retaining = RetainingLine(kind, file, line, func, text, value, hook)
            found.setdefault(name, []).append(retaining)
    return found


def _hooks_in(node: ast.AST) -> Iterator[str]:
    """Names of functions registered as hooks, and of the functions that return them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name.startswith("register_") and "hook" in name and node.args:
            given = node.args[0]
            given = given.func if isinstance(given, ast.Call) else given
            found = _terminal(given)
            if found:
                yield found


def _visit(
    node: ast.AST, func: str, hook: bool, hooks: set[str]
) -> Iterator[tuple[Any, str, bool]]:
    """Every node with its function, and whether that is a hook."""
    for child in ast.iter_child_nodes(node):
        name, inside = func, hook
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            name, inside = child.name, hook or child.name in hooks
        elif isinstance(child, ast.Lambda):
            registers = isinstance(node, ast.Call) and "hook" in _terminal(node.func)
            inside = hook or registers
        if isinstance(child, ast.stmt | ast.expr):
            yield child, name, inside
        yield from _visit(child, name, inside, hooks)


def _terminal(node: ast.AST) -> str:
    """The last name of an expression: `losses` in `self.losses`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value
        return _terminal(node.value)
    return ""


def _stored_values(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    """The values stored by a statement or call: name, kind, value."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _ADDING_METHODS and node.args:
            yield _terminal(node.func.value), "container", node.args[-1]
    elif isinstance(node, ast.AugAssign):
        value = node.value
        if isinstance(value, ast.List) and len(value.elts) == 1:
            yield _terminal(node.target), "container", value.elts[0]
        else:
            yield _terminal(node.target), "sum", value
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in (part for t in targets for part in _parts(t)):
            yield from _assigned(target, node.value)


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str, Any]]:
    name = _terminal(target)
    if isinstance(target, ast.Subscript):
        yield name, "container", value
        if name != (outer := _terminal(target.value)):
            yield outer, "container", value
        return
    added = _added_to(name, value)
    if added is not None:
        yield name, "sum", added
    elif not isinstance(value, ast.Constant | ast.List | ast.Dict | ast.ListComp):
        yield name, "variable", value


def _added_to(name: str, value: ast.expr) -> ast.expr | None:
    """The operand added in `total = total + loss`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub):
        for mine, other in ((value.left, value.right), (value.right, value.left)):
            names = {_terminal(n) for n in ast.walk(mine)}
            if name in names and name not in {_terminal(n) for n in ast.walk(other)}:
                return other
    return None
