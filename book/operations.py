"""The page that lists every operation: formula, gradients, and source.

Everything is read from the library itself: the classes of operations, the `Math:` and
`Shape:` lines of their docstrings, the lines of their files. What is composed of other
operations follows each file's own operations. Every entry leads to its line, in the
pages that `source_pages.py` makes of the files.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import source_pages
from docstrings import formulas, sections, typeset

import edutorch
from edutorch.autograd.dispatch import Op
from edutorch.tensor.tensor import Tensor

__all__ = ["Entry", "entries", "page", "places"]

ROOT = Path(inspect.getfile(edutorch)).resolve().parents[1]
PACKAGES = ("ops", "nn", "autograd")  # where operations are
HEAD = """# Every operation

Each operation is one class: `forward` computes it from arrays, `backward` its
gradients.
The formulas are those of its docstring; `g` denotes the gradient of the result
({gradient}). Of complex numbers, the derivative that `g` is multiplied by is conjugated
(formulas of `abs`, `sgn`, `angle` hold as they stand), and ᵀ conjugates, too. The name
of the class is shown in pictures of graphs, that of the node is PyTorch's, found in
`grad_fn`; "in" and "also in" name more functions that run it. Functions that are
composed of operations have no class: automatic differentiation finds their gradients.
The last line of each entry leads to its place in the source.

{count} operations and {composed} functions composed of them.
"""


@dataclass(frozen=True)
class Entry:
    """One operation, or one function that is composed of operations.

    Attributes:
        names: under which it is called.
        users: more functions of its file that run it.
        kind: the name of its class; empty for what is composed.
        node: PyTorch's name of its node in a graph.
        summary, math, shape: from its docstring; the formulas line by line.
        file, line: of its source.
    """

    names: tuple[str, ...]
    users: tuple[str, ...]
    kind: str
    node: str
    summary: str
    math: tuple[str, ...]
    shape: tuple[str, ...]
    file: str
    line: int


def entries() -> list[Entry]:
    """Every operation and every composed function, by file and line."""
    found = [_of_class(kind) for kind in _classes(Op)]
    found += [_of_function(f, names) for f, names in _composed().items()]
    return sorted(found, key=lambda e: (e.file, e.line))


def modules() -> list[ModuleType]:
    """The modules of the packages where operations are, all of them imported."""
    found = []
    for name in PACKAGES:
        package = importlib.import_module(f"edutorch.{name}")
        walk = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        found += [importlib.import_module(m.name) for m in walk]
    return found


def _classes(base: type) -> Iterator[type]:
    """The classes of operations; helpers that others derive from are left out."""
    modules()
    waiting, seen = [base], set()
    while waiting:
        for kind in waiting.pop().__subclasses__():
            renamed = getattr(kind, "op_class", kind) is not kind
            if renamed or kind in seen or not kind.__module__.startswith("edutorch."):
                continue
            seen.add(kind)
            waiting.append(kind)
            if not kind.__name__.startswith("_") and kind.forward is not base.forward:
                yield kind


def _of_class(kind: Any) -> Entry:
    """A class, with the formulas of its public function where it has none."""
    usual = kind.differentiable is not False and kind.name is Op.name
    node = f"{kind.torch_name}Backward{kind.overload}" if usual else ""
    functions = _called(kind)
    users = tuple(name for name in _users(kind) if name not in _of_classes())
    entry = _entry(kind, tuple(functions), kind.__name__, node, users)
    if entry.math or not functions:
        return entry
    told = sections(inspect.getdoc(next(iter(functions.values()))) or "")
    return replace(entry, math=tuple(formulas(told.get("Math", []))))


def _called(kind: Any) -> dict[str, Any]:
    """The public functions of the operation's name: of its file, or of others."""
    if not kind.__module__.startswith("edutorch.ops."):
        return {}  # others share a name only
    found = _functions().get(kind.public, {})
    own = {n: f for n, f in found.items() if f.__module__ == kind.__module__}
    return own or found


@cache
def _of_classes() -> frozenset[str]:
    """What is called by the name of an operation."""
    return frozenset(name for kind in _classes(Op) for name in _called(kind))


def _users(kind: Any) -> Iterator[str]:
    """The public functions of its file that mention it, or that call one which does."""
    used = _used(Path(sys.modules[kind.__module__].__file__ or ""))
    for space, name, function in public():
        if function.__module__ == kind.__module__:
            names = used.get(inspect.unwrap(function).__name__, ())
            if kind.__name__ in names:
                yield f"{space}.{name}"


@cache
def _used(file: Path) -> dict[str, set[str]]:
    """The names that each function of a file uses, also through its other functions."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    found: dict[str, set[str]] = {}
    for start in functions:
        names, waiting = set(), [start]
        while waiting:
            for node in ast.walk(functions[waiting.pop()]):
                if isinstance(node, ast.Name) and node.id not in names:
                    names.add(node.id)
                    waiting += [node.id] if node.id in functions else []
        found[start] = names
    return found


def _of_function(function: Any, names: tuple[str, ...]) -> Entry:
    return _entry(function, names, "", "", ())


def _entry(
    thing: Any, names: tuple[str, ...], kind: str, node: str, users: tuple[str, ...]
) -> Entry:
    told = sections(inspect.getdoc(thing) or "")
    source = inspect.unwrap(thing)
    file = Path(sys.modules[source.__module__].__file__ or "").resolve()
    return Entry(
        names=names,
        users=users,
        kind=kind,
        node=node,
        summary=told[""][0] if told[""] else "",
        math=tuple(formulas(told.get("Math", []))),
        shape=tuple(told.get("Shape", ())),
        file=file.relative_to(ROOT).as_posix(),
        line=source_pages.lines_of(file)[source.__name__],
    )


SPACES = {
    "torch": "", "torch.nn.functional": "nn.functional", "torch.linalg": "linalg",
    "torch.fft": "fft", "torch.special": "special", "torch.sparse": "sparse",
}  # fmt: skip


@cache
def public() -> list[tuple[str, str, Any]]:
    """(namespace, name, function) of everything public that is a Python function.

    A method is listed where no namespace has its function.
    """
    found = list(_of_namespaces())
    known = {function for _, _, function in found}
    for name in dir(Tensor):
        function = inspect.getattr_static(Tensor, name)
        if not name.startswith("_") and inspect.isfunction(function):
            found += [] if function in known else [("Tensor", name, function)]
    return found


def _of_namespaces() -> Iterator[tuple[str, str, Any]]:
    for space, path in SPACES.items():
        module = importlib.import_module(f"edutorch.{path}".rstrip("."))
        for name in sorted(set(module.__all__)):
            function = getattr(module, name)
            home = getattr(function, "__module__", "") or ""
            if inspect.isfunction(function) and home.startswith("edutorch."):
                yield space, name, function


@cache
def _functions() -> dict[str, dict[str, Any]]:
    """For the name of an operation, the functions that programs call."""
    found: dict[str, dict[str, Any]] = {}
    for space, name, function in public():
        # In-place variants and copies of views wrap the function that they repeat.
        original = inspect.unwrap(function).__name__.removeprefix("_tensor_")
        found.setdefault(original, {})[f"{space}.{name}"] = function
    return found


def _composed() -> dict[Any, tuple[str, ...]]:
    """Functions with a formula that are not the function of an operation's class."""
    found: dict[Any, tuple[str, ...]] = {}
    for space, name, function in public():
        if f"{space}.{name}" in _of_classes() or not _tells(function):
            continue
        original = inspect.unwrap(function)  # what copies of views repeat
        original = original if _tells(original) else function
        found[original] = (*found.get(original, ()), f"{space}.{name}")
    return found


def _tells(function: Any) -> bool:
    """Whether a function's docstring has a formula."""
    return "Math:" in (function.__doc__ or "")


def page() -> str:
    """The page, in MyST's Markdown."""
    listed = entries()
    count = sum(bool(e.kind) for e in listed)
    lines = [HEAD.format(count=count, composed=len(listed) - count, gradient="∂L/∂y")]
    lines += ["## By name\n", *_index()]
    file = ""
    for entry in listed:
        if entry.file != file:
            file = entry.file
            lines.append(f"## {title(file)}\n")
        lines.append(_text(entry))
    return "\n".join(lines)


@cache
def places() -> dict[str, str]:
    """The anchor of every function by its name, on the page of operations."""
    listed = entries()
    # Of several entries the first: `mul` is that of the file `arithmetic`.
    found = {n: _place(entry) for entry in reversed(listed) for n in entry.names}
    for entry in listed:
        found |= {n: _place(entry) for n in entry.users if n not in found}
    return found


def _index() -> Iterator[str]:
    """Every function by its name, leading to the entry that is about it."""
    for space in (*SPACES, "Tensor"):
        names = sorted(n for n in places() if n.rpartition(".")[0] == space)
        links = [f'<a href="#{places()[n]}">{n.rpartition(".")[2]}</a>' for n in names]
        yield f"**{space}**: {', '.join(links)}\n"


def _place(entry: Entry) -> str:
    """What links to an entry name."""
    file = entry.file.removeprefix("edutorch/").removesuffix(".py").replace("/", "-")
    return f"line-{file}-{entry.line}"


def title(file: str) -> str:
    """A file's heading: its place inside the library."""
    return file.removeprefix("edutorch/").removesuffix(".py").replace("/", " · ")


def _text(entry: Entry) -> str:
    head = f'<a id="{_place(entry)}"></a>' + (f"**{entry.kind}** " * bool(entry.kind))
    called = ", ".join(f"`{name}`" for name in entry.names)
    users = ", ".join(f"`{name}`" for name in entry.users)
    also = "; also in " if called else "in "
    called += f"{also}{users}" if users else ""
    node = f" · node `{entry.node}`" if entry.node else ""
    where = source_pages.link(entry.file, entry.line)
    block = ["```{raw} html", typeset(list(entry.math)), "```"] if entry.math else []
    shapes = [f"Shapes: `{line}`" for line in entry.shape[:1]]
    return "\n".join(
        [f"{head}{called}{node}", "", entry.summary, "", *block, "", *shapes, "",
         where, ""]
    )  # fmt: skip
