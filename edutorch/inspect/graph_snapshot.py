"""Builds the graph that views draw from the records of a run.

A snapshot is JSON-ready: nodes in execution order, edges from producer to consumer,
and the tree of modules. Ids are positions ("op3" is the fourth op, "t0" the first value
not made by an op), so they stay the same from step to step.
"""

from __future__ import annotations

import json
from typing import Any

from .. import events
from ..module_events import name_of
from .assigned_names import assigned_name
from .event_fields import (
    BWD_NODE,
    BWD_TARGET,
    DURATION,
    KIND,
    MOD_CALL,
    MOD_CLS,
    MOD_MODEL,
    MOD_PARENT,
    MOD_PATH,
    OP_CALL,
    OP_CLS,
    OP_DEVICE,
    OP_DTYPE,
    OP_ERROR,
    OP_INPUTS,
    OP_NAME,
    OP_NBYTES,
    OP_NODE,
    OP_OUTPUTS,
    OP_SHAPE,
    OP_SRC,
    SEQ,
)
from .flagged_tensors import flags
from .model_filter import ModelFilter
from .model_names import number_models
from .source_lines import called_at, defined_at
from .step_log import GraphRun
from .value_stats import ValueStats

__all__ = ["MAX_BYTES", "Plan", "graph_plan", "shrink", "snapshot"]

MOST = 10_000  # ops of a graph
MAX_BYTES = 8_000_000  # of a snapshot as JSON; views send about an eighth of it
FAR = 2  # generations of ops without gradient taken from earlier runs

Record = tuple[Any, ...]


class Plan:
    """The parts of a run's graph: ops, operands and edges.

    The last `own` ops are the run's, those before them led to it; `cut` older ops of
    the run are missing.
    """

    def __init__(self, ops: list[Record], own: int, cut: int) -> None:
        self.ops = ops
        self.own = own
        self.cut = cut
        self.leaves: list[int] = []  # tensor ids
        self.users: list[int] = []  # position of each leaf's first consumer
        self.edges: list[tuple[str, str]] = []
        self._link()

    def _link(self) -> None:
        made: dict[int, str] = {}
        for i, record in enumerate(self.ops):
            for ident in record[OP_INPUTS]:  # a tensor used twice has two edges
                if ident not in made:
                    made[ident] = f"t{len(self.leaves)}"
                    self.leaves.append(ident)
                    self.users.append(i)
                self.edges.append((made[ident], f"op{i}"))
            for ident in record[OP_OUTPUTS]:
                made[ident] = f"op{i}"


def graph_plan(run: GraphRun, part: ModelFilter | None = None) -> Plan:
    """The graph of a run: its ops, and the ops of earlier runs that led to them.

    Args:
        run: what was computed.
        part: leaves those in which a model takes part.
    """
    every = _without_counters(run.own())
    own = every[-MOST:]
    ops = _ancestors(run, own) + own
    if part is not None:
        late = {record[SEQ] for record in own}
        ops = part.select(ops, run.calls.copy())
        own = [record for record in ops if record[SEQ] in late]
    return Plan(ops, len(own), max(0, len(every) - MOST))


def _without_counters(own: list[Record]) -> list[Record]:
    """Leave out call counters, such as that of batch norm.

    Such an op makes a single number from single numbers, and no op reads it.
    """
    last = own[-1:]
    used = {ident for record in own for ident in record[OP_INPUTS]}
    return [
        record
        for record in own
        if record[OP_NODE]
        or not record[OP_CALL]
        or record[OP_SHAPE] != ()
        or record in last
        or not used.isdisjoint(record[OP_OUTPUTS])
        or any(events.described.get(t, ((),))[0] != () for t in record[OP_INPUTS])
    ]


def _ancestors(run: GraphRun, own: list[Record]) -> list[Record]:
    if not run.start:
        return []
    before = {t: r for r in run.ops[: run.start] for t in r[OP_OUTPUTS]}
    made = {t for r in own for t in r[OP_OUTPUTS]}
    wanted = [(t, 0) for r in own for t in r[OP_INPUTS] if t not in made]
    found: dict[int, Record] = {}
    while wanted:
        ident, far = wanted.pop()
        record = before.get(ident)
        if record is None or record[SEQ] in found:
            continue
        far = 0 if record[OP_NODE] else far + 1
        if far <= FAR:
            found[record[SEQ]] = record
            wanted += [(t, far) for t in record[OP_INPUTS]]
    return [found[seq] for seq in sorted(found)]


class _Names:
    """Names of leaves: of parameters by module, of other tensors by variable."""

    def __init__(self, run: GraphRun, variables: dict[int, str]) -> None:
        self.run = run
        self.variables = variables

    def kind(self, ident: int) -> str:
        if ident in events.names:
            return "param"
        described = events.described.get(ident)
        if ident in self.run.leaves:
            return "param"
        number = described and not described[0] and ident not in self.variables
        return "const" if number or ident in events.buffers else "input"

    def name_results(self, records: list[Record], nodes: list[dict[str, Any]]) -> None:
        """Add to each op the name that the program gives its result, if that is known.

        A variable that holds the result has its name. Variables hold only the newest
        tensors; for others, the last op of a line gets the name that the line assigns.
        """
        lines = [record[OP_SRC] for record in records]
        for i, (record, node) in enumerate(zip(records, nodes, strict=True)):
            outputs = record[OP_OUTPUTS]
            name = self.variables.get(outputs[0], "") if outputs else ""
            src = node["src"]
            last = lines[i] != (lines[i + 1] if i + 1 < len(lines) else None)
            if not name and last and src and src["func"] == "<module>":
                name = assigned_name(src["text"], node["name"])
            node["var"] = name

    def of(self, ident: int) -> str:
        name = name_of(ident) or self.variables.get(ident)
        return name or self.kind(ident)


def snapshot(
    run: GraphRun,
    values: GraphRun | None = None,
    variables: dict[int, str] | None = None,
    at: Record | None = None,
    part: ModelFilter | None = None,
) -> dict[str, Any]:
    """The graph of `run`, JSON-ready; `nodes`, `edges`, `modules`, `dropped`, `passes`.

    Args:
        run: what was computed.
        values: a run of the same graph whose values were summarised, from
            which summaries are taken where `run` has none.
        variables: names of tensors by their ids.
        at: the record at which the reader has stopped the training.
        part: of a graph in which several models take part, that of one.
    """
    plan = graph_plan(run, part=part)
    earlier = None if values is None else (values, graph_plan(values, part=part).ops)
    known = ValueStats(run, plan.ops, earlier, plan.own)
    paths = _Paths(run)
    names = _Names(run, variables or {})
    ops = [
        _op_node(i, record, run, known, paths.of(record[OP_CALL]))
        for i, record in enumerate(plan.ops)
    ]
    names.name_results(plan.ops, ops)
    leaves = []
    for i, ident in enumerate(plan.leaves):
        user = paths.of(plan.ops[plan.users[i]][OP_CALL])
        node = _leaf_node(i, ident, run, known, names)
        node["module"] = _leaf_module(node, user, ident in events.buffers)
        leaves.append(node)
    return {
        "nodes": _merge(ops, leaves, plan),
        "edges": [list(edge) for edge in plan.edges],
        "now": "" if at is None else _stopped_at(at, plan),
        "modules": paths.modules(),
        "recorded_step": max(known.seen.step, 0),
        "dropped": run.dropped + plan.cut,
        "passes": run.passes,
    }


def _stopped_at(at: Record, plan: Plan) -> str:
    """The node of a record, which belongs to an op or to its backward."""
    if at[KIND] == "op":
        found = [i for i, record in enumerate(plan.ops) if record[SEQ] == at[SEQ]]
    elif at[BWD_TARGET] in plan.leaves:
        return f"t{plan.leaves.index(at[BWD_TARGET])}"
    else:
        node = at[BWD_NODE]
        found = [i for i, r in enumerate(plan.ops) if node and r[OP_NODE] == node]
    return f"op{found[0]}" if found else ""


def _merge(
    ops: list[dict[str, Any]], leaves: list[dict[str, Any]], plan: Plan
) -> list[dict[str, Any]]:
    """Ops in order, each leaf immediately before its first consumer."""
    nodes: list[dict[str, Any]] = []
    next_leaf = 0
    for i, op in enumerate(ops):
        while next_leaf < len(leaves) and plan.users[next_leaf] == i:
            nodes.append(leaves[next_leaf])
            next_leaf += 1
        nodes.append(op)
    return nodes


def _op_node(
    i: int, record: Record, run: GraphRun, known: ValueStats, path: str
) -> dict[str, Any]:
    backward = run.nodes.get(record[OP_NODE]) if record[OP_NODE] else None
    return {
        "id": f"op{i}",
        "kind": "op",
        "name": record[OP_NAME],
        "var": "",
        "cls": record[OP_CLS],
        "module": path,
        "shape": list(record[OP_SHAPE]),
        "dtype": record[OP_DTYPE],
        "device": record[OP_DEVICE],
        "attrs": known.attributes(record),
        "src": called_at(record[OP_SRC]),
        "lib": defined_at(record[OP_CLS]),
        "stats": known.of_op(record),
        "grad": known.gradient_of_op(record),
        "fwd_us": round(record[DURATION] / 1000, 1),
        "bwd_us": None if backward is None else round(backward[DURATION] / 1000, 1),
        "bytes": record[OP_NBYTES],
        "error": record[OP_ERROR] or _flag_of(record),
    }


def _flag_of(record: Record) -> str:
    """The flags of an op's results."""
    found = (flags.get(t, "") for t in record[OP_OUTPUTS]) if flags else ()
    return next(filter(None, found), "")


def _leaf_node(
    i: int, ident: int, run: GraphRun, known: ValueStats, names: _Names
) -> dict[str, Any]:
    shape, dtype, device = events.described.get(ident, ((), "", ""))
    backward = run.leaves.get(ident)
    return {
        "id": f"t{i}",
        "kind": names.kind(ident),
        "name": names.of(ident),
        "var": "",
        "cls": "",
        "module": "",
        "shape": list(shape),
        "dtype": dtype,
        "device": device,
        "attrs": "",
        "src": None,
        "lib": None,
        "stats": known.of_leaf(ident),
        "grad": known.gradient_of_leaf(ident),
        "fwd_us": None,
        "bwd_us": None if backward is None else round(backward[DURATION] / 1000, 1),
        "bytes": 0,
        "error": "",
    }


def _leaf_module(node: dict[str, Any], user: str, is_buffer: bool) -> str:
    """The module of a parameter or buffer, or its consumer's if that is outside."""
    if node["kind"] != "param" and not is_buffer:
        return ""
    owner = node["name"].rpartition(".")[0]
    return owner if owner and f"{user}.".startswith(f"{owner}.") else user


class _Paths:
    """Module paths by call, with a number where several models ran."""

    def __init__(self, run: GraphRun) -> None:
        self.calls = run.calls.copy()  # a copy, since modules may be called meanwhile
        self._used: dict[str, str] = {}
        parents = {record[MOD_PARENT] for record in self.calls.values()}
        roots = [r for r in self.calls.values() if not r[MOD_PARENT]]
        self._alone = {r[MOD_CALL] for r in roots if r[MOD_CALL] not in parents}
        whole = {r[MOD_MODEL]: r[MOD_CLS] for r in roots if r[MOD_CALL] in parents}
        self._models = number_models(whole)

    def of(self, call: int) -> str:
        """The dotted path of a module call; "" outside modules."""
        record = self.calls.get(call)
        if record is None:
            return ""
        path, cls = record[MOD_PATH], record[MOD_CLS]
        if call in self._alone:
            path = path or cls
        elif len(self._models) > 1:
            model = self._models.get(record[MOD_MODEL], self._root(record)[MOD_CLS])
            path = f"{model}.{path}".rstrip(".")
        if path:
            self._note(path, cls, record)
        return path

    def _root(self, record: Record) -> Record:
        while record[MOD_PARENT] in self.calls:
            record = self.calls[record[MOD_PARENT]]
        return record

    def _note(self, path: str, cls: str, record: Record) -> None:
        """Record the class of a path and of the modules that enclose it."""
        if path in self._used:
            return
        self._used[path] = cls
        parent = self.calls.get(record[MOD_PARENT])
        if parent is not None:
            self.of(parent[MOD_CALL])

    def modules(self) -> list[dict[str, str]]:
        """The modules that were called, and the modules that contain them."""
        for path in list(self._used):
            names = path.split(".")
            for depth in range(1, len(names)):
                self._used.setdefault(".".join(names[:depth]), "")
        return [
            {"path": p, "cls": self._used[p], "parent": p.rpartition(".")[0]}
            for p in sorted(self._used)
        ]


def shrink(data: dict[str, Any], limit: int = MAX_BYTES) -> dict[str, Any]:
    """Shrink `data` to the limit: source text is dropped first, then the oldest nodes.

    What was dropped is counted in `dropped`.
    """
    for lighten in (_without_texts, _without_library):
        if _size(data) <= limit:
            return data
        data = data | {"nodes": [lighten(node) for node in data["nodes"]]}
    size = _size(data)
    if size <= limit:
        return data
    nodes = data["nodes"]
    keep = max(1, int(len(nodes) * limit / size * 0.95))
    dropped = data["dropped"] + len(nodes) - keep
    kept = {node["id"] for node in nodes[-keep:]}
    edges = [e for e in data["edges"] if e[0] in kept and e[1] in kept]
    return data | {"nodes": nodes[-keep:], "edges": edges, "dropped": dropped}


def _size(data: dict[str, Any]) -> int:
    return len(json.dumps(data))


def _without_texts(node: dict[str, Any]) -> dict[str, Any]:
    return node | {k: node[k] and node[k] | {"text": ""} for k in ("src", "lib")}


def _without_library(node: dict[str, Any]) -> dict[str, Any]:
    return node | {"lib": None}
