"""Imports go one way: downwards through the layers, and never in a cycle."""

from __future__ import annotations

import tomllib

from tests.house.source_tree import PACKAGE, ROOT, Import, Module, modules

# The packages by layer, bottom to top. A file imports from its own layer or from
# a lower one; within a layer the test of cycles below keeps the order.
LAYERS = (
    (
        "callers",
        "errors",
        "exception_wrapper",
        "extras",
        "events",
        "free_cores",
        "config",
        "interrupts",
        "memory_events",
        "module_events",
        "op_events",
        "process_memory",
        "syntax_trees",
        "text_arguments",
        "value_events",
        "version",
    ),
    ("dtypes", "devices", "layouts", "backends", "kernels"),
    ("random", "tensor"),
    ("autograd",),
    ("__config__", "ops", "linalg", "fft", "overrides", "signal", "sparse", "special"),
    (
        "_C",
        "__future__",
        "amp",
        "nn",
        "distributed",
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
    ("hub", "optim", "utils", "multiprocessing", "functorch"),
    ("inspect", "accelerator", "cpu", "cuda", "mps", "xpu"),
    ("onnx",),
    ("widgets", "course"),
)
LAYER_OF = {f"{PACKAGE}.{name}": i for i, names in enumerate(LAYERS) for name in names}
# The root collects the public names, so it is above every package.
TOP = len(LAYERS)
LAYER_OF[f"{PACKAGE}.__main__"] = TOP + 1  # and what runs the package uses all of it
# What a function may import: packages that may be absent, or are slow to load.
OPTIONAL = {"cupy", "graphviz", "ipyparallel", "matplotlib", "mpi4py"}


def layer(name: str) -> int:
    """The layer of a module: that of the first two parts of its name."""
    return LAYER_OF.get(".".join(name.split(".")[:2]), TOP)


def own_imports(module: Module) -> list[Import]:
    return [i for i in module.imports if i.target.split(".")[0] == PACKAGE]


def test_layers_hold_every_module_and_name_nothing_else():
    missing = [
        m.relative for m in modules() if m.name != PACKAGE and layer(m.name) == TOP
    ]
    assert not missing, "no layer in LAYERS for:\n" + "\n".join(missing)
    assert sorted(set(LAYER_OF) - {module.name for module in modules()}) == []


def test_imports_go_to_the_same_layer_or_down():
    upward = [
        f"{module.relative}:{i.line} (layer {layer(module.name)}) imports "
        f"{i.target} (layer {layer(i.target)})"
        for module in modules()
        for i in own_imports(module)
        if layer(i.target) > layer(module.name)
    ]
    assert not upward, "imports that go up:\n" + "\n".join(upward)


def test_imports_make_no_cycle():
    graph = {
        module.name: {
            i.target
            for i in own_imports(module)
            if i.inside == "module" and i.target != module.name
        }
        for module in modules()
    }
    cycles = [" <-> ".join(sorted(c)) for c in components(graph) if len(c) > 1]
    assert not cycles, "modules that import each other:\n" + "\n".join(cycles)


def test_imports_in_functions_are_of_optional_packages():
    hidden = [
        f"{module.relative}:{i.line} imports {i.target} inside a function"
        for module in modules()
        for i in module.imports
        if i.inside == "function" and i.target.split(".")[0] not in OPTIONAL
    ]
    assert not hidden, "\n".join(hidden)


def test_imports_are_never_of_pytorch():
    foreign = [
        f"{module.relative}:{i.line}"
        for module in modules()
        for i in module.imports
        if i.target.split(".")[0] in {"torch", "torchvision", "functorch"}
    ]
    assert not foreign, "PyTorch is imported by:\n" + "\n".join(foreign)


def test_optional_packages_are_imported_in_functions():
    hidden = {
        i.target.split(".")[0]
        for module in modules()
        for i in module.imports
        if i.inside == "function"
    }
    assert sorted(OPTIONAL - hidden) == []


def test_types_of_all_packages_are_checked_strictly():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    mypy = tomllib.loads(text)["tool"]["mypy"]
    assert mypy["strict"] is True
    assert not [o["module"] for o in mypy["overrides"] if o.get("ignore_errors")]


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


def test_components_find_a_cycle():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert sorted(map(sorted, components(graph))) == [["a"], ["b", "c"], ["d"]]
