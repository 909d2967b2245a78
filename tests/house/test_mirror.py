"""Tests mirror sources: edutorch/a/b.py is tested by tests/a/test_b.py."""

from __future__ import annotations

import ast

from tests.house.source_tree import PACKAGE, ROOT, Module, modules

# Files that are tested elsewhere, and where.
# What only ranks can do is tested by a program that several of them run.
_RANKS = "tests/nn/parallel/test_distributed.py"
ELSEWHERE: dict[str, str] = {
    "edutorch/distributed/algorithms/ddp_comm_hooks/default_hooks.py": _RANKS,
    "edutorch/distributed/algorithms/join.py": _RANKS,
    "edutorch/nn/modules/sync_batchnorm.py": _RANKS,
    "edutorch/nn/parallel/ddp_join.py": _RANKS,
    "edutorch/nn/parallel/reducer.py": _RANKS,
    "edutorch/optim/zero_redundancy_optimizer.py": _RANKS,
}


def is_trivial(module: Module) -> bool:
    """Whether a file only collects names and constants."""
    return not any(isinstance(n, ast.FunctionDef) for n in ast.walk(module.tree))


def mirror(module: Module) -> str:
    """The test file of a source file; a leading underscore is dropped.

    A package's own `__init__.py` is tested by `test_<package>.py` inside.
    """
    *folders, name = module.name.split(".")[1:] or [PACKAGE]
    if module.is_package and module.name != PACKAGE:
        folders.append(name)
    return "/".join(["tests", *folders, f"test_{name.strip('_')}.py"])


def test_mirror_every_source_file_has_a_test_file():
    alone = [
        f"{m.relative}: no {mirror(m)}"
        for m in modules()
        if not is_trivial(m)
        and m.relative not in ELSEWHERE
        and not (ROOT / mirror(m)).is_file()
    ]
    assert not alone, "source files without tests:\n" + "\n".join(alone)


def test_mirror_exceptions_are_needed():
    names = {m.relative: m for m in modules()}
    stale = [
        path
        for path in ELSEWHERE
        if path not in names or (ROOT / mirror(names[path])).is_file()
    ]
    assert not stale, f"take off the list: {stale}"


def test_mirror_gives_the_test_of_a_file_a_package_and_the_root():
    folder = ROOT / PACKAGE
    cases = {
        "edutorch": (folder / "__init__.py", "tests/test_edutorch.py"),
        "edutorch.errors": (folder / "errors.py", "tests/test_errors.py"),
        "edutorch.ops": (folder / "ops/__init__.py", "tests/ops/test_ops.py"),
        "edutorch.ops._x": (folder / "ops/_x.py", "tests/ops/test_x.py"),
    }
    for name, (path, expected) in cases.items():
        assert mirror(Module(name, path)) == expected
