"""Rows as nested groups."""

from __future__ import annotations

import pytest

from edutorch.widgets.memory_groups import WAYS, group_rows


def row(name, module, nbytes, category=0, line=0, device=0, counts=None):
    return {
        "name": name, "shape": [2] if name else None, "dtype": "float32",
        "device": device, "category": category, "module": module, "line": line,
        "counts": counts or [int(n > 0) for n in nbytes], "bytes": nbytes,
    }  # fmt: skip


DATA = {
    "devices": [{"name": "cpu"}, {"name": "cuda:0"}],
    "categories": ["parameter", "activation"],
    "modules": [
        {"model": "Net", "path": "a.b"},
        {"model": "Net", "path": "a"},
        {"model": "outside modules", "path": ""},
    ],
    "lines": [
        {"file": "/x/y/train.py", "line": 7, "func": "f", "text": "z = f(x)"},
        {"file": "", "line": 0, "func": "", "text": "made by nobody"},
    ],
    "rows": [
        row("w", 0, [8, 8]),
        row("h", 1, [0, 40], category=1),
        row("", 1, [30, 10], category=1, counts=[1234, 400]),
        row("x", 2, [4, 0], line=1),
        row("y", 2, [100, 100], device=1),
    ],
}


def shape_of(group):
    if not group.children:
        return group.name, group.after
    return group.name, group.after, [shape_of(child) for child in group.children]


def test_tensors_say_what_the_groups_around_them_do_not():
    modules = [*DATA["modules"], {"model": "Critic", "path": "a.b"}]
    rows = [row("a.b.w", 0, [8, 8], line=1), row("a.b.w", 3, [6, 6], line=1)]
    two = DATA | {"modules": modules, "rows": [*rows, DATA["rows"][1]]}
    names = [group.name for group in group_rows(two, 0, "tensor", 1).children]
    assert names == [
        "h 2 float32 · y/train.py:7", "a.b.w 2 float32 · Net", "a.b.w 2 float32 · Critic",
    ]  # fmt: skip
    lines = group_rows(two, 0, "line", 1).children
    assert "h 2 float32" in [
        inner.name for g in lines[0].children for inner in g.children
    ]
    one = DATA | {"rows": rows[:1]}
    assert [g.name for g in group_rows(one, 0, "tensor", 1).children] == [
        "a.b.w 2 float32"
    ]


@pytest.mark.parametrize("by", WAYS)
def test_groups_when_summed_are_what_rows_are(by):
    for moment in (0, 1):
        root = group_rows(DATA, 0, by, moment)
        assert root.after == sum(
            r["bytes"][moment] for r in DATA["rows"] if r["device"] == 0
        )

        def same(group):
            if group.children:
                assert group.after == sum(child.after for child in group.children)
                assert group.count == sum(child.count for child in group.children)
                list(map(same, group.children))

        same(root)


def test_groups_by_module_are_nested_and_largest_first():
    root = group_rows(DATA, 0, "module", 0)
    assert shape_of(root) == (
        "all", 42, [
            ("Net.a", 38, [("1,234 smaller tensors", 30), ("b", 8, [("w 2 float32 · y/train.py:7", 8)])]),
            ("outside modules", 4, [("x 2 float32", 4)]),
        ],
    )  # fmt: skip


def test_groups_by_line_tell_what_no_line_made():
    root = group_rows(DATA, 0, "line", 1)
    assert [c.name for c in root.children] == ["y/train.py"]
    assert root.children[0].children[0].name == "line 7: z = f(x)"
    assert group_rows(DATA, 0, "line", 0).children[1].name == "made by nobody"


def test_groups_of_a_difference_keep_growth_and_shrinkage_apart():
    root = group_rows(DATA, 0, "module", after=1, before=0)
    assert (root.before, root.after, root.grown, root.shrunk) == (42, 58, 40, 24)
    net, outside = root.children
    assert (net.grown, net.shrunk) == (40, 20)
    assert (outside.grown, outside.shrunk, outside.count) == (0, 4, 0)
