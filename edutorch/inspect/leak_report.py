"""Growth and reference paths, as JSON-ready data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ..callers import Source
from ..memory_events import UNWATCHED
from .leak_causes import cause_of
from .reference_names import Path, what_is
from .reference_search import Search
from .source_lines import called_at
from .survivors import GREW, OTHER_LINES, Growth, growth_text

__all__ = ["answer_of", "line_data", "title_of"]

WAYS = 3
HOLDERS = 4
NAMES = {
    -1: "parameters, gradients, optimizer, data",
    OTHER_LINES: "other lines",
    UNWATCHED: "steps that were not watched",
}


def line_data(
    line: int, count: int, nbytes: int, nodes: int, of_bytes: Growth, of_nodes: Growth
) -> dict[str, Any]:
    """A row of the table.

    Example:
        >>> line_data(-1, 2, 80, 0, Growth(), Growth())["name"]
        'parameters, gradients, optimizer, data'
    """
    graph = of_nodes.grew >= of_bytes.grew and of_nodes.grew > 0
    chief = of_nodes if graph else of_bytes
    state = "leak" if of_nodes.always else "grows" if of_bytes.always else ""
    what = "graph nodes" if graph else "bytes"
    return {
        "id": line, "src": called_at(line) if line >= 0 else None,
        "name": NAMES.get(line, ""), "count": count, "bytes": nbytes, "nodes": nodes,
        "bytes_per_step": round(of_bytes.per_step, 2),
        "nodes_per_step": round(of_nodes.per_step, 2),
        "state": state, "rule": f"{what} {growth_text(chief.grew, chief.steps)}",
        "bytes_at": [], "nodes_at": [],
    }  # fmt: skip


def answer_of(
    line: int | None,
    name: str,
    first: Sequence[Any],
    paths: list[list[Path]],
    sizes: list[int],
    search: Search,
    near: Source | None = None,
) -> Callable[[bool], dict[str, Any]]:
    """A function of `retained` that reports on a line's survivors or on one object.

    Args:
        line: its id, or None.
        name: of the object.
        first: the object, or nothing.
        paths: for each object searched for, the paths to it.
        sizes: the bytes of each.
        search: how it went.
        near: the line that made it, or one of the same file.
    """
    what = what_is(first[0]) if first else "nothing"
    found = [ways for ways in paths if ways]
    lost = sum(size for ways, size in zip(paths, sizes, strict=True) if not ways)
    holders = Counter(_holder(ways[0]) for ways in found)
    shown = _select_paths(found)

    def answer(retained: bool) -> dict[str, Any]:
        cause = None
        if shown or (paths and not search.cut):
            cause = cause_of(_main_path(shown), retained, near)
        return {
            "line": line, "src": called_at(line) if line is not None else None,
            "name": name or _name_of(line), "what": what,
            "sought": len(paths), "found": len(found),
            "lost_bytes": 0 if search.cut else lost,
            "holders": [[code, n] for code, n in holders.most_common(HOLDERS)],
            "paths": [_path_data(path) for path in shown], "cause": cause,
            "objects": search.objects, "seconds": round(search.seconds, 3),
            "cut": search.cut,
        }  # fmt: skip

    return answer


def _name_of(line: int | None) -> str:
    return "" if line is None else NAMES.get(line, "")


def _main_path(shown: list[Path]) -> Path | None:
    """The path to report; if a model holds its parameters, not the optimizer's."""
    return next((p for p in shown if not p.optimizer), shown[0] if shown else None)


def _holder(path: Path) -> str:
    return path.root.code or path.root.words


def _select_paths(found: list[list[Path]]) -> list[Path]:
    """One path per holder, the most frequent first; for one object, all holders."""
    by_holder: dict[str, Path] = {}
    counts: Counter[str] = Counter()
    for ways in found:
        holder = _holder(ways[0])
        counts[holder] += 1
        best = by_holder.get(holder)
        if best is None or len(ways[0].hops) < len(best.hops):
            by_holder[holder] = ways[0]
    shown = [by_holder[holder] for holder, _ in counts.most_common(WAYS)]
    if len(found) == 1:
        shown += [way for way in found[0][1:] if _holder(way) != _holder(shown[0])]
    return shown[:WAYS]


def _path_data(path: Path) -> dict[str, Any]:
    return {
        "root": path.root.code, "words": path.root.words, "what": path.what,
        "hops": [{"code": h.code, "what": h.what, "kind": h.kind} for h in path.hops],
    }  # fmt: skip


def title_of(data: dict[str, Any]) -> str:
    """A one-line summary of the results.

    Example:
        >>> title_of({"lines": [], "step": 12})
        'nothing grows in 12 steps'
        >>> title_of({"lines": [], "step": 3})
        'growth is judged after 9 steps; so far: 3'
    """
    leaks = [row for row in data["lines"] if row["state"] == "leak"]
    grows = [row for row in data["lines"] if row["state"] == "grows"]
    if not leaks and not grows:
        if data["step"] <= GREW:
            return f"growth is judged after {GREW + 1} steps; so far: {data['step']}"
        return f"nothing grows in {data['step']} steps"
    lines = f"{len(leaks or grows)} line{'s' * (len(leaks or grows) > 1)}"
    if leaks:
        return f"the graphs of {lines} stay alive from step to step"
    return f"tensors from {lines} accumulate; a cache that is filling up does the same"
