"""Graphs as DOT, using the `graphviz` package."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from ..extras import install_command
from .box_style import COLOURS, BoxStyle, backward_done, style_of
from .boxes import Box
from .fold import auto_expanded, fold
from .format import graph_title

__all__ = ["digraph"]

_STYLES = {
    "param": "rounded,filled",
    "input": "dashed,filled",
    "const": "dashed,filled",
    "module": "rounded,filled,bold",
    "repeat": "rounded,filled,bold",
}


def digraph(data: dict[str, Any], expanded: Collection[str] | None = None) -> Any:
    """A graph snapshot as a `graphviz.Digraph`, folded like the picture.

    The package only writes the text (`.source`); drawing it (`.render`,
    `.pipe`) needs the system's `dot`.

    Raises:
        ImportError: where the `graphviz` package is not installed.
    """
    try:
        import graphviz
    except ImportError as error:
        hint = f"DOT needs the graphviz package: {install_command('graphviz')}"
        raise ImportError(hint) from error
    opened = auto_expanded(data) if expanded is None else set(expanded)
    folded = fold(data, opened)
    names = {box.id: f"n{i}" for i, box in enumerate(folded.boxes)}
    font = {"fontname": "Helvetica", "fontsize": "10"}
    graph = graphviz.Digraph(
        "edutorch",
        graph_attr={
            "label": graphviz.nohtml(graph_title(data)),
            "labelloc": "t",
            "rankdir": "TB",
            "ranksep": "0.35",
            "nodesep": "0.2",
            **font,
        },
        node_attr={"shape": "box", "height": "0.3", "margin": "0.12,0.05", **font},
        edge_attr={"color": "#8c96a5", "arrowsize": "0.7"},
    )
    by_id = {node["id"]: node for node in data["nodes"]}
    started = backward_done(data)
    styles = {box.id: style_of(box, by_id, started) for box in folded.boxes}
    labels = {
        box.id: graphviz.nohtml(_label(box, styles[box.id])) for box in folded.boxes
    }
    _fill(graph, "", _Content(folded.boxes, styles, labels, names))
    for edge in folded.edges:
        graph.edge(names[edge.start], names[edge.end])
    return graph


class _Content(NamedTuple):
    boxes: list[Box]
    styles: dict[str, BoxStyle]
    labels: dict[str, str]
    names: dict[str, str]


def _label(box: Box, style: BoxStyle) -> str:
    r"""The lines of a box; names are escaped, including backslashes."""
    lines = (
        (style.title,) if box.kind == "frame" else (style.title, style.sub, style.foot)
    )
    literal = (t.replace("&", "&amp;").replace("\\", "\\\\") for t in lines)
    return "\\n".join(literal)


def _fill(graph: Any, parent: str, content: _Content) -> None:
    """Write the boxes of one frame, and nested frames as clusters."""
    for box in content.boxes:
        if box.parent != parent:
            continue
        name, label = content.names[box.id], content.labels[box.id]
        if box.kind == "frame":
            with graph.subgraph(name=f"cluster_{name}") as cluster:
                cluster.attr(label=label, style="rounded")
                cluster.attr(color="#c3cad5", bgcolor="#f5f7fa")
                _fill(cluster, box.id, content)
        else:
            style = _STYLES.get(box.kind, "rounded,filled")
            colour = COLOURS[content.styles[box.id].family]
            graph.node(name, label, style=style, color=colour, fillcolor="#ffffff")
