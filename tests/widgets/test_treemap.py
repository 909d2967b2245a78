"""Tiles that fill a rectangle in proportion."""

from __future__ import annotations

import json
import random

import pytest

from edutorch.widgets.memory_groups import Group, group_rows
from edutorch.widgets.treemap import MOST, Box, shown_children, squarify, tiles_of
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "memory_tree" / "groups.json").read_text())


def plain(group):
    names = ["name", "short", "category", "before", "after", "grown", "shrunk", "count"]
    own = {name: getattr(group, name) for name in names}
    return own | {"children": [plain(child) for child in group.children]}


@pytest.mark.parametrize("case", SHARED["cases"])
def test_groups_and_tiles_agree_with_the_browser(case):
    how = case["by"], case["after"], case["before"]
    root = group_rows(SHARED["data"], 1, *how)
    assert plain(root) == case["group"]
    places = [(*t.box, t.depth) for t in tiles_of(root, Box(4, 8, 560, 340))]
    assert [list(p) for p in places] == [
        pytest.approx(p, abs=2e-3) for p in case["tiles"]
    ]


@pytest.mark.parametrize("seed", range(20))
def test_squarify_gives_areas_in_proportion_that_never_overlap(seed):
    rng = random.Random(seed)
    sizes = sorted(
        (rng.random() ** 4 + 1e-4 for _ in range(rng.randrange(1, 40))), reverse=True
    )
    box = Box(3, 5, rng.randrange(20, 600), rng.randrange(20, 600))
    tiles = squarify(sizes, box)
    for size, tile in zip(sizes, tiles, strict=True):
        assert tile.w * tile.h == pytest.approx(size / sum(sizes) * box.w * box.h)
        assert tile.x >= box.x - 1e-6 and tile.x + tile.w <= box.x + box.w + 1e-6
        assert tile.y >= box.y - 1e-6 and tile.y + tile.h <= box.y + box.h + 1e-6
    for i, a in enumerate(tiles):
        for b in tiles[:i]:
            apart_x = a.x + a.w <= b.x + 1e-6 or b.x + b.w <= a.x + 1e-6
            apart_y = a.y + a.h <= b.y + 1e-6 or b.y + b.h <= a.y + 1e-6
            assert apart_x or apart_y


def test_squarify_when_alike_gives_squares():
    tiles = squarify([1.0] * 9, Box(0, 0, 90, 90))
    assert all(tile.w == pytest.approx(tile.h) == pytest.approx(30) for tile in tiles)


def test_squarify_when_there_is_nothing_gives_tiles_of_no_area():
    assert squarify([], Box(0, 0, 9, 9)) == []
    assert squarify([0.0, 0.0], Box(0, 0, 9, 9)) == [Box(0, 0, 0.0, 0.0)] * 2
    assert squarify([1.0], Box(0, 0, 0, 9))[0].w == 0
    assert squarify([2.0, 0.0], Box(0, 0, 9, 9))[0] == Box(0, 0, 9, 9)


def test_tiles_of_a_group_with_many_children_show_the_smallest_as_one():
    group = Group("all")
    for k in range(100):
        child = Group(str(k), after=100 - k, grown=100 - k)
        group.children.append(child)
        group.add(child)
    shown = shown_children(group)
    assert len(shown) == MOST and shown[-1].name == "61 more"
    assert sum(child.size for child in shown) == group.size
    assert len(tiles_of(group, Box(0, 0, 400, 300))) == MOST


def test_tiles_of_a_group_with_room_show_what_is_inside():
    inner = Group("inner", grown=5, children=[Group("a", grown=3), Group("b", grown=2)])
    tiles = tiles_of(Group("all", grown=5, children=[inner]), Box(0, 0, 200, 100))
    assert [(t.group.name, t.depth) for t in tiles] == [
        ("inner", 0),
        ("a", 1),
        ("b", 1),
    ]
    assert all(t.box.y >= 20 for t in tiles[1:])
    small = tiles_of(Group("all", grown=5, children=[inner]), Box(0, 0, 40, 100))
    assert len(small) == 1
