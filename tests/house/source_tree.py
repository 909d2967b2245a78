"""The source tree as the house tests see it: modules, imports, functions."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType

__all__ = ["ROOT", "Import", "Module", "modules", "script", "tracked"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "edutorch"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def script(path: str) -> ModuleType:
    """A script outside the package, as a module of its own."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Import:
    """One imported module, its line and the kind of block."""

    target: str
    line: int
    inside: str  # "module", "function" or "typing"


@dataclass(frozen=True)
class Module:
    """A source file of the package."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def relative(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def imports(self) -> list[Import]:
        """Every import of the file, in functions and for type checkers too."""
        found = []
        for node, inside in _walk(self.tree, "module"):
            line = getattr(node, "lineno", 0)
            found += [Import(t, line, inside) for t in self._imported(node)]
        return found

    def _imported(self, node: ast.AST) -> Iterator[str]:
        """The absolute names of the modules that one node imports."""
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = self._absolute(node)
            known = names_of_modules()
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in known else base
        elif isinstance(node, ast.Call) and _is_import_module(node):
            yield node.args[0].value

    def _absolute(self, node: ast.ImportFrom) -> str:
        """The module a `from` names, its leading dots resolved."""
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        drop = node.level - 1 if self.is_package else node.level
        parts = parts[: len(parts) - drop]
        return ".".join([*parts, node.module] if node.module else parts)

    def functions(self) -> Iterator[tuple[str, Function]]:
        """(dotted name, node) of every function and method."""
        stack = [(self.tree, "")]
        while stack:
            parent, prefix = stack.pop()
            for node in ast.iter_child_nodes(parent):
                name = prefix
                if isinstance(node, Function | ast.ClassDef):
                    name = f"{prefix}.{node.name}".lstrip(".")
                if isinstance(node, Function):
                    yield name, node
                stack.append((node, name))


@lru_cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, by name."""
    found = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        found.append(Module(".".join(parts), path))
    return tuple(found)


@lru_cache
def names_of_modules() -> frozenset[str]:
    return frozenset(module.name for module in modules())


@lru_cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    """The files git tracks, and those it would track if they were added."""
    command = ["git", "ls-files", "-co", "--exclude-standard", *patterns]
    listed = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = (ROOT / line for line in listed.stdout.splitlines())
    return tuple(path for path in paths if path.is_file())


def _walk(node: ast.AST, inside: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node, with the kind of block that contains it."""
    for child in ast.iter_child_nodes(node):
        here = inside
        if isinstance(child, Function | ast.Lambda):
            here = "function"
        elif isinstance(child, ast.If) and _is_typing(child.test):
            here = "typing"
        yield child, here
        yield from _walk(child, here)


def _is_typing(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _is_import_module(node: ast.Call) -> bool:
    called = ast.unparse(node.func)
    return (
        called in {"importlib.import_module", "import_module", "__import__"}
        and bool(node.args)
        and isinstance(node.args[0], ast.Constant)
    )
