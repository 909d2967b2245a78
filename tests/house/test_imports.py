"""Imports go one way: downwards through the rows, and never in a circle."""

from __future__ import annotations

import tomllib

from tests.house.source_tree import PACKAGE, ROOT, Import, Module, modules

# The rooms of the house, bottom to top. A file imports from its own row or
# from a lower one; inside a row the circle test below keeps the order.
ROWS = (
    ("callers", "errors", "events", "config", "interrupts", "version"),
    ("dtypes", "devices", "layouts", "backends", "kernels"),
    ("random", "tensor"),
    ("autograd",),
    ("__config__", "ops", "linalg", "fft", "overrides", "signal", "sparse", "special"),
    (
        "_C",
        "__future__",
        "amp",
        "nn",
        "distributions",
        "masked",
        "nested",
        "serialization",
        "func",
        "functional",
        "return_types",
        "futures",
        "profiler",
        "quasirandom",
        "testing",
    ),
    ("hub", "optim", "utils", "vision", "multiprocessing", "functorch"),
    ("inspect", "jit", "accelerator", "cpu", "cuda", "distributed", "mps", "xpu"),
    ("onnx", "utils.tensorboard"),
    ("widgets", "course", "__main__"),
)
ROW_OF = {f"{PACKAGE}.{room}": row for row, rooms in enumerate(ROWS) for room in rooms}
STRICT_ROWS = 4  # mypy is strict up to this row
# The root gathers the public names, so it stands above every room.
TOP = len(ROWS)
# What a function may import: packages that may be absent, or are slow to load.
OPTIONAL = {
    "IPython",
    "PIL",
    "anywidget",
    "cupy",
    "cupyx",
    "debugpy",
    "graphviz",
    "ipykernel",
    "ipywidgets",
    "jupyterlab",
    "matplotlib",
    "ml_dtypes",
    "nbclient",
    "nbformat",
    "nbgrader",
    "numba",
    "scipy",
    "sklearn",
}


def row(name: str) -> int:
    """The row of a module: that of the longest room its name begins with."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        room = ".".join(parts[:size])
        if room in ROW_OF:
            return ROW_OF[room]
    return TOP


def own_imports(module: Module) -> list[Import]:
    return [i for i in module.imports if i.target.split(".")[0] == PACKAGE]


def test_rooms_every_module_has_a_row():
    homeless = [
        m.relative for m in modules() if m.name != PACKAGE and row(m.name) == TOP
    ]
    assert not homeless, "no row in ROWS for:\n" + "\n".join(homeless)


def test_imports_go_to_the_same_row_or_down():
    upward = [
        f"{module.relative}:{i.line} (row {row(module.name)}) imports "
        f"{i.target} (row {row(i.target)})"
        for module in modules()
        for i in own_imports(module)
        if row(i.target) > row(module.name)
    ]
    assert not upward, "imports that go up:\n" + "\n".join(upward)


def test_imports_make_no_circle():
    graph = {
        module.name: {
            i.target
            for i in own_imports(module)
            if i.inside == "module" and i.target != module.name
        }
        for module in modules()
    }
    circles = [" <-> ".join(sorted(c)) for c in components(graph) if len(c) > 1]
    assert not circles, "modules that import each other:\n" + "\n".join(circles)


def test_imports_in_functions_only_of_optional_packages():
    hidden = [
        f"{module.relative}:{i.line} imports {i.target} inside a function"
        for module in modules()
        for i in module.imports
        if i.inside == "function" and i.target.split(".")[0] not in OPTIONAL
    ]
    assert not hidden, "\n".join(hidden)


def test_imports_never_of_pytorch():
    foreign = [
        f"{module.relative}:{i.line}"
        for module in modules()
        for i in module.imports
        if i.target.split(".")[0] in {"torch", "torchvision", "functorch"}
    ]
    assert not foreign, "PyTorch is imported by:\n" + "\n".join(foreign)


def test_types_are_strict_in_the_lower_rows():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    mypy = tomllib.loads(text)["tool"]["mypy"]
    assert mypy["strict"] is True
    lax = [
        name.removesuffix(".*")
        for override in mypy["overrides"]
        if override.get("ignore_errors")
        for name in override["module"]
    ]
    assert min(map(row, lax)) > STRICT_ROWS


def components(graph: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components: forward walk, then backward walk."""
    order: list[str] = []
    seen: set[str] = set()
    for start in graph:
        _post_order(graph, start, seen, order)
    reverse: dict[str, set[str]] = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets & graph.keys():
            reverse[target].add(name)
    found: list[list[str]] = []
    seen = set()
    for start in reversed(order):
        part: list[str] = []
        _post_order(reverse, start, seen, part)
        found += [part] if part else []
    return found


def _post_order(graph, name, seen, order) -> None:
    if name in seen or name not in graph:
        return
    seen.add(name)
    for target in sorted(graph[name]):
        _post_order(graph, target, seen, order)
    order.append(name)


def test_components_find_a_circle():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert sorted(map(sorted, components(graph))) == [["a"], ["b", "c"], ["d"]]
