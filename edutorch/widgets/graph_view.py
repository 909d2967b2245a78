"""GraphView: what did my code just compute, and which module did it?"""

from __future__ import annotations

import itertools
from types import NoneType
from typing import Any, ClassVar

import traitlets

from .. import events
from ..inspect import GraphRecorder
from ..nn import Module
from .arguments import check_argument
from .columnar import encode_graph
from .dot import digraph
from .draw_graph import draw_graph
from .svg import Picture
from .text import graph_text
from .view import View
from .view_throttle import with_throttle_note

__all__ = ["GraphView"]

_numbers = itertools.count(1)


class GraphView(View):
    """The graph of the latest computation, folded by module and kept up to date.

    In JupyterLab, boxes open and close with a click or Enter, and a selected
    node shows its source line, shape, values and gradient. Elsewhere there is
    a still picture.

    Args:
        model: a module; the view then shows only the ops that run in it or read its
            parameters, and the ops that use their results. By default it shows all ops.

    Attributes:
        selected: id of the selected node.
        expanded: module paths that are open; empty means a fitting choice.
        direction: "down" or "right", the direction of the flow; empty means a fitting
            choice.

    Example:
        >>> import edutorch as torch
        >>> with GraphView() as graph:
        ...     y = torch.tensor(2.0, requires_grad=True) * 3
        ...     print(graph.text().splitlines()[0])
        Graph of 1 operation, step 0
    """

    kind: ClassVar[str] = "graph"
    data = traitlets.Dict().tag(sync=True, to_json=encode_graph)
    selected = traitlets.Unicode("").tag(sync=True)
    expanded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    direction = traitlets.Enum(["", "down", "right"], "").tag(sync=True)

    _recorder: GraphRecorder

    def __init__(self, model: Any = None) -> None:
        check_argument("GraphView", "model", model, Module, NoneType)
        if model is not None:
            for name, parameter in model.named_parameters():
                events.names[events.tensor_id(parameter)] = name
        self._last_seq = -1
        name = f"view.graph.{next(_numbers)}"
        super().__init__(GraphRecorder(name, model=model))

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self._recorder.snapshot(current)

    def _revision(self) -> Any:
        return self._recorder.seq

    def _update(self) -> int:
        """Show the last complete graph, or while paused the one in progress."""
        with self._lock:
            if self.frozen:
                return 0
            seq = self._recorder.seq
            current = seq == self._last_seq or self._recorder.paused
            self._last_seq = seq
            data, note = self._recorder.snapshot(current), self._throttle.note()
            sent, sent_note = self.__dict__.get("_sent", (None, ""))
            if data is sent and note == sent_note:
                return 0
            self._sent = data, note
            self._set_data(data)
            return self._json_size()

    def _json_size(self) -> int:
        return 250 * len(self.data["nodes"])

    def _frozen_status(self) -> str:
        return f"recorded at step {self.data.get('step', 0)}"

    def cell_began(self) -> None:
        """Start a new graph, since a cell starts."""
        self._recorder.cell_began()

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_graph(self.data, self.expanded or None, note, self.direction)

    def text(self) -> str:
        """The graph as an indented list."""
        text = graph_text(self.refresh())
        return with_throttle_note(text, self.data)

    def graphviz(self) -> Any:
        """The graph as a `graphviz.Digraph`, folded like the view.

        Its `source` is the DOT text. Drawing it (`render`, `pipe`, or showing it in a
        notebook) also needs the system's `dot` program.

        Raises:
            ImportError: where the `graphviz` package is not installed.

        Example:
            >>> import edutorch as torch
            >>> with GraphView() as graph:
            ...     y = torch.tensor(2.0, requires_grad=True) * 3
            ...     print(graph.graphviz().source.split()[0])
            digraph
        """
        return digraph(self.refresh(), self.expanded or None)

    def _writers(self) -> dict[str, Any]:
        return super()._writers() | {".dot": lambda: str(self.graphviz().source)}
