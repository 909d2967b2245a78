"""Explains why an object stays alive, and which line to change.

The cause is inferred from the path of references and the text of the program.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from typing import Any

from ..callers import Source
from .reference_names import Path
from .retaining_lines import (
    RetainingLine,
    find_retain_graph,
    find_retaining_lines,
    program_files,
    retaining_lines_in,
)

__all__ = ["CAUSES", "cause_of"]

CAUSES = {
    "out": "IPython's Out cache keeps the result",
    "error": "The last exception's traceback keeps the variables of its functions",
    "optimizer": "An optimizer keeps its parameters and their state",
    "bounded": "A container of bounded size keeps it; it stops growing when full",
    "hook": "A hook keeps what it was given",
    "sum": "A sum of tensors keeps the graph of every step",
    "kept": "A container keeps tensors with their graphs",
    "stored": "A container keeps tensors",
    "state": "A state carries its graph from step to step",
    "closure": "A function's closure keeps it",
    "running": "A function that runs keeps it",
    "gradient": "A parameter keeps its gradient",
    "variable": "A variable keeps it",
    "module": "A global variable of a module keeps it",
    "cycle": "A reference cycle waits for garbage collection",
    "unknown": "The search ended before a path was found",
}
INSTEAD, BEFORE, RUN = "change it to", "put before it", "run"
STORE = "store it as"
CLEAR_ERROR = "sys.last_exc = sys.last_value = sys.last_traceback = None"
CLEAR_IPYTHONS = "; get_ipython().InteractiveTB.tb = None; gc.collect()"


def cause_of(
    path: Path | None, retained: bool = False, near: Source | None = None
) -> dict[str, Any]:
    """The cause as JSON: kind, title, reason, the line to change and the change.

    Args:
        path: to the object; None if the search found none.
        retained: whether nodes still have their saved tensors.
        near: the line that made it; lines of its file are preferred.

    Example:
        >>> cause_of(None)["change"]
        'gc.collect()'
    """
    if path is None:
        why = "No variable leads to it. Objects that refer to each other are freed "
        return _cause("cycle", why + "when the collector runs.", None, "gc.collect()")
    files = ([near.file] if near else []) + program_files()
    found = (
        _by_root(path)
        or _by_container(path, files, near)
        or _by_elements(path, files, near)
        or _by_rest(path, files)
    )
    if retained and any(hop.kind in ("graph", "saved") for hop in path.hops):
        line = find_retain_graph(files)
        if line is not None:
            found["also"] = {
                "why": "retain_graph=True keeps the saved tensors of each graph",
                "src": line[0], "change": line[1], "how": INSTEAD,
            }  # fmt: skip
    return found


def _cause(
    kind: str, why: str, src: dict[str, Any] | None, change: str, how: str = ""
) -> dict[str, Any]:
    """A cause; `how` says how to apply the change."""
    return {
        "kind": kind, "title": CAUSES[kind], "why": why, "src": src, "change": change,
        "how": (how or (INSTEAD if src else RUN)) if change else "", "also": None,
    }  # fmt: skip


def _by_root(path: Path) -> dict[str, Any] | None:
    """Causes that follow from the kind of the root, or of an object on the path."""
    root = path.root
    if root.kind == "out":
        why = f"{root.code} is what a cell showed last. A semicolon at the end of that "
        why += "line keeps the result out of the cache."
        name = "_" + root.code[4:-1] if root.code.startswith("Out[") else root.code
        return _cause("out", why, None, f"%xdel {name}")
    if root.kind == "error" or any(hop.kind == "error" for hop in path.hops):
        place = f" {path.frames[-1]}()" if path.frames else " the functions that failed"
        why = f"{root.code} refers to the frames of{place}."
        forget = CLEAR_ERROR + (CLEAR_IPYTHONS if "IPython" in sys.modules else "")
        change = forget if root.kind == "error" else f"del {root.code}"
        return _cause("error", why, None, change)
    if path.optimizer and root.kind in ("variable", "local"):
        why = f"{root.code} refers to every parameter that it was made with. Delete it "
        why += "together with a model that is no longer used."
        return _cause("optimizer", why, None, f"del {root.code}")
    if path.bound:
        why = f"It takes at most {path.bound} entries."
        return _cause("bounded", why, None, "")
    return None


def _by_container(
    path: Path, files: list[str], near: Source | None
) -> dict[str, Any] | None:
    """A line that stores tensors in a container or accumulates them."""
    for name, line in _candidates(path, files, near):
        listed = _listed(line)
        if (line.kind == "container" or listed == 1) and _indexed(path):
            return _cause_of_line(path, line, name, _with_graph(path))
        if line.kind == "sum" and path.scalar and _with_graph(path) and not listed:
            why = f"{name} is a tensor, and its graph grows by that of every step."
            change = line.changed(".item()")
            return _cause("sum", why, line.place(), change)
    return None


def _listed(line: RetainingLine) -> int:
    """How many elements a line appends: 1 in `losses += [loss]`."""
    is_list = line.kind == "sum" and isinstance(line.value, ast.List | ast.Tuple)
    return len(line.value.elts) if is_list else 0


def _candidates(
    path: Path, files: list[str], near: Source | None
) -> Iterator[tuple[str, RetainingLine]]:
    """Lines that may have stored the object, the most likely first.

    Those of the file of the line that made it; then, as a function may have a name of
    its own for a list that it was given, containers filled in the same function; then
    lines of other files.
    """
    for file in files[:1] if near else ():
        for name in reversed(path.holders):
            yield from ((name, line) for line in find_retaining_lines(name, [file]))
        if path.scalar or _with_graph(path):
            yield from retaining_lines_in(
                file, near.func.rpartition(".")[2] if near else ""
            )
    for name in reversed(path.holders):
        yield from ((name, line) for line in find_retaining_lines(name, files))


def _indexed(path: Path) -> bool:
    return any(hop.kind in ("index", "key") for hop in path.hops)


def _with_graph(path: Path) -> bool:
    words = [path.what, *(hop.what for hop in path.hops)]
    first = next((w for w in words if w.startswith("tensor ")), "")
    return first.endswith("with grad_fn")


def _cause_of_line(
    path: Path, line: RetainingLine, name: str, graph: bool
) -> dict[str, Any]:
    name = _expression_of(path, name)
    suffix = ".item()" if path.scalar else ".detach()"
    kept = f"{name} keeps a tensor for each time this line runs"
    if graph:
        kind, why = "kept", f"{kept}, and each tensor keeps its graph."
        change = line.changed(suffix, _part(path))
    else:
        kind, why = "stored", f"{kept}. Bound its size, or keep numbers only."
        change = line.changed(".item()", _part(path)) if path.scalar else ""
    how = INSTEAD if change else RUN
    change = change or f"{name}.clear()"
    return _cause("hook" if line.hook else kind, why, line.place(), change, how)


def _expression_of(path: Path, name: str) -> str:
    """The expression for a container in code outside its object: `trainer.losses`."""
    code = path.root.code
    for hop in path.hops if code not in ("", name) else ():
        if hop.kind not in ("attribute", "index", "key"):
            break
        code += hop.code
        if name in (hop.code[1:], hop.code[2:-2]):
            return code
    return name


def _by_elements(
    path: Path, files: list[str], near: Source | None
) -> dict[str, Any] | None:
    """A list or dict of tensors with graphs; the line that fills it is unknown."""
    code, kind = _filled(path)
    name = path.holders[-1] if path.holders else code
    if not kind or not _with_graph(path) or _lines_from_itself(name, files):
        return None
    value = _variable_of(near) + (".item()" if path.scalar else ".detach()")
    change = f"{code}[key] = {value}" if kind == "dict" else f"{code}.append({value})"
    why = f"{code} keeps tensors, and each tensor keeps its graph."
    return _cause("kept", why, None, change, STORE)


def _filled(path: Path) -> tuple[str, str]:
    """The innermost list or dict around the tensor, as an expression, and its type."""
    code, what, found = path.root.code, path.what, ("", "")
    for hop in path.hops if code else ():
        if hop.kind not in ("attribute", "index", "key") or what.startswith("tensor "):
            break
        kind = what.partition(" ")[0]
        if hop.kind != "attribute" and kind in ("list", "deque", "dict"):
            found = code, kind
        code, what = code + hop.code, hop.what
    return found


def _variable_of(near: Source | None) -> str:
    """The variable that a line assigns, or "value"."""
    text = linecache.getline(near.file, near.line).strip() if near else ""
    name = text.partition("=")[0].strip()
    return name if name.isidentifier() and "=" in text else "value"


def _lines_from_itself(name: str, files: list[str]) -> list[RetainingLine]:
    """Lines that compute a variable from itself."""
    lines = find_retaining_lines(name, files)
    return [f for f in lines if f.kind == "variable" and name in _names_in(f.value)]


def _part(path: Path) -> Any:
    """The last index or key before the tensor."""
    part: Any = None
    for hop in path.hops:
        if hop.kind in ("index", "key"):
            try:
                part = ast.literal_eval(hop.code[1:-1])
            except (ValueError, SyntaxError):
                part = None
        if hop.what.startswith("tensor "):
            break
    return part


def _by_rest(path: Path, files: list[str]) -> dict[str, Any]:
    root, hops = path.root, path.hops
    whole = root.code + "".join(h.code for h in hops[:1] if h.kind == "attribute")
    if any(hop.kind == "grad" for hop in hops):
        why = "It stays until zero_grad() or the next backward()."
        return _cause("gradient", why, None, f"{root.code}.grad = None")
    if _with_graph(path) and any(hop.kind in ("graph", "saved") for hop in hops):
        return _carried(path, files)
    closures = [hop for hop in hops if hop.kind == "closure"]
    if closures:
        why = f"{root.code} is a function whose variable {closures[0].code} it is."
        return _cause("closure", why, None, f"del {root.code}")
    if root.kind in ("local", "frame"):
        why = f"{root.code} is {root.words}; it ends with the function."
        return _cause("running", why, None, f"del {root.code}" if not hops else "")
    if root.kind == "module":
        return _cause("module", f"It is in {root.words}.", None, "")
    return _cause("variable", f"{whole} is {root.words}.", None, f"del {whole}")


def _carried(path: Path, files: list[str]) -> dict[str, Any]:
    """The cause for a tensor whose graph reaches back into earlier steps."""
    name = path.holders[-1] if path.holders else path.root.code
    lines = [f for f in find_retaining_lines(name, files) if f.kind == "variable"]
    lines.sort(key=lambda f: name not in _names_in(f.value))  # computed from itself
    place = lines[0].place() if lines else None
    if path.scalar and path.what.startswith("tensor "):
        why = f"{name} keeps the graph it was computed with."
        change = lines[0].changed(".item()") if lines else ""
        return _cause("variable", why, place, change or f"{name} = {name}.item()")
    change = f"{name} = {name}.detach()"
    if path.what.startswith("tuple"):
        change = f"{name} = tuple(s.detach() for s in {name})"
    why = f"{name} was computed from itself, step by step. Cut its graph before "
    return _cause("state", why + "each step.", place, change, BEFORE)


def _names_in(value: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
