"""The graph of the latest computation, for GraphView."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

from .. import events
from ..tensor.tensor import Tensor
from .event_fields import OP_INPUTS, OP_NODE, OP_OUTPUTS, OP_SRC, SEQ
from .flagged_tensors import flags
from .graph_snapshot import graph_plan, shrink, snapshot
from .model_filter import ModelFilter
from .recorder import Recorder
from .source_lines import called_at
from .step_log import GraphRun, StepLog

__all__ = ["GraphRecorder", "variables"]


class GraphRecorder(Recorder):
    """Records the graph of each training step, cell or call (level 1).

    For some steps, it requests level 2, which summarises every value and gradient: the
    first, those after a change of the graph's shape, and others as often as `budget`
    allows. Between them the last summaries are shown, and `recorded_step` gives their
    age.

    Args:
        name: the key of the subscription.
        budget: the share of the time that summaries may take.
        model: a module; only operations in which it takes part are shown.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> with GraphRecorder() as graph:
        ...     y = x * x
        >>> [node["name"] for node in graph.snapshot()["nodes"]][-1]
        'mul'
    """

    kinds = ("op", "read", "bwd", "mod", "stat", "mark")

    def __init__(
        self,
        name: str = "inspect.graph",
        budget: float = 0.02,
        model: Any = None,
    ) -> None:
        self._log = StepLog(budget)
        self._part = None if model is None else ModelFilter(model)
        if self._part is not None:
            self._log.wanted = partial(_takes_part, self._part)
        self._built: tuple[Any, dict[str, Any]] = (None, {})
        self._rev = 0
        super().__init__(name, self._log, level=2)

    def _started(self, subscription: events.Subscription) -> None:
        def choose(sampled: bool) -> None:
            subscription.level = 2 if sampled else 1

        self._log.on_sampling = choose
        self._log.first_step = events.step

    def cell_began(self) -> None:
        """Start a new graph, since a notebook cell starts."""
        self._log.cell_began()

    def replay(self, records: Any) -> GraphRecorder:
        """Add records stored elsewhere."""
        for record in records:
            self._log.handle(record)
        return self

    def operations_on(self, ident: int) -> tuple[Any, list[Any]]:
        """The record that made a tensor (None if not held), and its users' records."""
        log = self._log
        lists = {id(run.ops): run.ops for run in (log.now, log.last, log.best) if run}
        records = [r for ops in lists.values() for r in ops]  # runs of a step share ops
        made = [r for r in records if ident in r[OP_OUTPUTS]]
        users = [r for r in records if ident in r[OP_INPUTS]]
        return max(made, key=_seq, default=None), sorted(users, key=_seq)

    def shows(self, tensors: Iterable[Any], node: int = 0) -> bool:
        """Whether the shown graph has the op that made a tensor, or recorded a node."""
        idents = {events.tensor_id(tensor) for tensor in tensors}
        return any(
            (node and record[OP_NODE] == node)
            or idents.intersection(record[OP_OUTPUTS])
            for record in self._log.shown(True).own()
        )

    def line_of_node(self, node: int) -> dict[str, Any] | None:
        """The line whose op recorded the autograd node with this `seq`, if held."""
        log = self._log
        runs = (run for run in (log.now, log.last, log.best) if run is not None)
        found = (r for run in runs for r in run.ops if node and r[OP_NODE] == node)
        record = next(found, None)
        return None if record is None else called_at(record[OP_SRC])

    @property
    def seq(self) -> int:
        """The number of the newest record in the graph."""
        return self._log.seq

    @property
    def paused(self) -> bool:
        """Whether the user has paused training."""
        return self._log.paused

    def snapshot(self, current: bool = True) -> dict[str, Any]:
        """The graph as JSON-ready data, of at most 10,000 operations and 8 MB.

        Args:
            current: show the graph that is being computed; if False, prefer
                the last finished one, which does not flicker.
        """
        log = self._log
        run = log.shown(current)
        names = variables()
        state = log.phase, log.paused, log.pending
        key = (run, len(run.ops), run.end, log.seq, *state, names, *flags)
        if self._built[0] != key:
            self._rev += 1
            self._built = (key, self._build(run, names))
        return self._built[1]

    def _counted(self, graph: dict[str, Any]) -> dict[str, Any]:
        """The graph, with its step counted from the opening of the recorder."""
        step = graph["recorded_step"] - self._log.first_step
        return graph | {"recorded_step": max(step, 0)}

    def _phase(self, run: GraphRun) -> str:
        """How far the computation of the shown graph has progressed."""
        log = self._log
        if run is log.now:
            return log.phase
        own = (record[OP_NODE] for record in run.own())
        return "backward" if any(node in run.nodes for node in own) else "forward"

    def _build(self, run: GraphRun, names: dict[int, str]) -> dict[str, Any]:
        log = self._log
        current = run is log.now
        head = {
            "v": 1,
            "rev": self._rev,
            "step": max(run.step - log.first_step, 0),
            "phase": self._phase(run),
            "pending": current and log.pending,
        }
        if self._part is not None:
            head["of"] = self._part.name
        at = log.newest if current and log.paused else None
        found = snapshot(run, log.best, names, at, self._part)
        return shrink(head | self._counted(found))


def _takes_part(part: ModelFilter, run: GraphRun) -> bool:
    if part.takes_part(run.own(), run.calls):
        return True
    return run.start > 0 and bool(graph_plan(run, part=part).ops)  # by earlier ops


def _seq(record: tuple[Any, ...]) -> int:
    return int(record[SEQ])


def variables() -> dict[int, str]:
    """Names of the tensors held by variables of the main program or notebook, by id.

    Example:
        >>> isinstance(variables(), dict)
        True
    """
    scope = vars(sys.modules["__main__"])
    return {
        value._tensor_id: name
        for name, value in list(scope.items())
        if isinstance(value, Tensor) and value._tensor_id and not name.startswith("_")
    }
