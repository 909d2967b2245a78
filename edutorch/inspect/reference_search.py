"""Searches for the shortest path of references from a named root to an object.

The search is breadth-first from the roots along `gc.get_referents`, for all target
objects at once. A backward search along `gc.get_referrers` would examine every object
of the process at each level, and would miss objects that the collector does not track:
arrays that are views of others, tuples and dictionaries of arrays.

Visited objects are kept alive until the search ends, so that their ids stay unique, and
are released afterwards.
"""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Sequence
from types import BuiltinFunctionType, CodeType, ModuleType, WrapperDescriptorType
from typing import Any, Final, NamedTuple

import numpy as np

from .reference_names import Path, describe_path
from .reference_roots import Root, groups_of_roots, module_dicts

__all__ = ["Search", "find_paths"]

WAYS: Final = 3  # paths to one object
EVERY: Final = 2048  # objects between two checks of the time
# types that hold nothing of interest
_ATOMS = frozenset(
    {int, float, bool, str, bytes, complex, type(None), type(...), CodeType, range,
     slice, BuiltinFunctionType, WrapperDescriptorType, type(str.join), property,
     np.dtype, weakref.ref}
)  # fmt: skip


# Packages whose objects refer to the whole kernel: searched last, as own roots only.
_MACHINERY = ("IPython", "ipykernel", "traitlets", "ipywidgets", "anywidget", "zmq",
              "tornado", "asyncio", "comm")  # fmt: skip
_OURS = (__package__, f"{__package__.rpartition('.')[0]}.widgets")


class Search(NamedTuple):
    """The result of a search.

    Attributes:
        paths: for each object the paths to it, shortest first; empty where none is.
        objects: how many objects were looked at.
        seconds: how long that took.
        cut: whether time was up before everything was looked at.
    """

    paths: list[list[Path]]
    objects: int
    seconds: float
    cut: bool


def find_paths(targets: Sequence[Any], seconds: float = 2.0) -> Search:
    """Paths to each object from variables, frames and modules: why they are alive.

    Args:
        targets: the objects; what holds only this sequence is not a path.
        seconds: the time after which the search ends.

    Example:
        >>> import edutorch as torch
        >>> losses = [torch.ones(2)]
        >>> find_paths([losses[0]], 10.0).objects > 0
        True
    """
    began = time.perf_counter()
    walk = _Walk(targets, began + seconds)
    try:
        cut = not walk.run()
        paths = [walk.paths_to(target) for target in targets]
        return Search(paths, len(walk.objects), time.perf_counter() - began, cut)
    finally:
        walk.forget()


class _Walk:
    """A breadth-first search; see the module's docstring."""

    def __init__(self, targets: Sequence[Any], deadline: float) -> None:
        self.deadline = deadline
        self.wanted: dict[int, list[int]] = {id(t): [] for t in targets}
        self.objects: list[Any] = []
        self.parents: list[int] = []  # positions; for a root -1 minus its number
        self.seen: dict[int, int] = {}
        self.roots: list[Root] = []
        self.walls = module_dicts()
        self.hidden = {id(targets)}
        self.excluded: dict[type, bool] = {}  # types whose objects are not entered
        self.near = True  # while searching from roots that a person can name

    def run(self) -> bool:
        """Search until everything is found; returns False if time ran out."""
        head = 0
        for group in groups_of_roots():
            if self.near and any(root.kind == "module" for root in group):
                self.near = False
                self.excluded.clear()
            for root in group:
                self._begin(root)
            while head < len(self.objects):
                stop = min(head + EVERY, len(self.objects))
                self._expand(head, stop)
                head = stop
                if time.perf_counter() > self.deadline:
                    return False
            if all(self.wanted.values()):
                return True
        return True

    def _begin(self, root: Root) -> None:
        self.roots.append(root)
        if root.kind == "module" or id(root.value) not in self.walls:
            self._visit(root.value, -len(self.roots))

    def _expand(self, head: int, stop: int) -> None:
        """Follow the references of some objects; this is the slow part."""
        referents, seen, wanted, walls = (
            gc.get_referents, self.seen, self.wanted, self.walls,
        )  # fmt: skip
        for place in range(head, stop):
            for found in referents(self.objects[place]):
                ident = id(found)
                if ident in seen:
                    if ident in wanted:
                        self._visit(found, place)
                elif type(found) not in _ATOMS and ident not in walls:
                    self._visit(found, place)

    def _visit(self, found: Any, parent: int) -> None:
        ident = id(found)
        ways = self.wanted.get(ident)
        if ways is not None and len(ways) < WAYS:
            ways.append(parent)
        if ident in self.seen or ident in self.hidden:
            return
        kind = type(found)
        if kind in _ATOMS or kind is ModuleType:
            return
        excluded = self.excluded.get(kind)
        if self._is_excluded(kind) if excluded is None else excluded:
            return
        place = self.seen[ident] = len(self.objects)
        self.objects.append(found)
        self.parents.append(parent)
        if kind is np.ndarray:  # the collector does not see what arrays refer to
            if found.base is not None:
                self._visit(found.base, place)
            if found.dtype == object:
                for held in found.flat:
                    self._visit(held, place)

    def _is_excluded(self, kind: type) -> bool:
        """Whether the search skips a type: one of the library's or of the kernel's."""
        home = type.__dict__["__module__"].__get__(kind)
        home = home if isinstance(home, str) else ""
        first = home.partition(".")[0]
        found = home.startswith(_OURS) or (self.near and first in _MACHINERY)
        self.excluded[kind] = found
        return found

    def paths_to(self, target: Any) -> list[Path]:
        """The paths to an object, described."""
        found = []
        for parent in self.wanted[id(target)]:
            chain = [target]
            while parent >= 0:
                chain.append(self.objects[parent])
                parent = self.parents[parent]
            if not any(link is target for link in chain[1:]):
                found.append(describe_path(self.roots[-1 - parent], chain[::-1]))
        return found

    def forget(self) -> None:
        """Drop the references to all objects."""
        for held in (self.objects, self.roots, self.seen, self.parents):
            held.clear()
