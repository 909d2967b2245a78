"""The lengths of files and functions: `python -m tests.house.sizes`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.source_tree import Function, Module, modules

__all__ = ["FILE_CAP", "FUNCTION_CAP", "LARGE", "length", "measured", "report"]

FUNCTION_CAP = 50  # lines, its docstring not counted
FILE_CAP = 450  # lines, everything counted

# A cap is raised by argument: "file.py" or "file.py:function" and the reason.
LARGE: dict[str, str] = {
    "edutorch/autograd/dispatch.py:apply1": "the hot path of dispatch: a call costs 60 ns",
    "edutorch/autograd/dispatch.py:apply2": "the hot path of dispatch: a call costs 60 ns",
}


def length(node: Function) -> int:
    """Lines of a function from `def` to its end, without the docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def measured() -> Iterator[tuple[str, int, int]]:
    """(what, lines, cap) of every file and every function."""
    for module in modules():
        yield module.relative, len(module.text.splitlines()), FILE_CAP
        for name, node in module.functions():
            yield f"{module.relative}:{name}", length(node), FUNCTION_CAP


def report() -> str:
    """The table that the continuous integration prints."""
    files = [len(m.text.splitlines()) for m in modules()]
    rows = [
        ("files", files),
        ("functions", [length(f) for m in modules() for _, f in m.functions()]),
        ("classes", [lines for m in modules() for lines in _classes(m)]),
    ]
    lines = [f"{'':10}{'count':>7}{'p50':>6}{'p95':>6}{'max':>6}"]
    lines += [
        f"{name:10}{len(v):7}{_at(v, 50):6}{_at(v, 95):6}{max(v, default=0):6}"
        for name, v in rows
    ]
    lines.append(f"{sum(files)} lines in all")
    lines += [f"excepted: {what}: {why}" for what, why in LARGE.items()]
    return "\n".join(lines)


def _classes(module: Module) -> Iterator[int]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def _at(values: list[int], percent: int) -> int:
    """The value below which `percent` of the values lie."""
    ordered = sorted(values) or [0]
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    print(report())
