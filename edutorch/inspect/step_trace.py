"""A recorded step as JSON: ops, backward nodes, and formulas with their factors."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np

from .. import events
from ..callers import source
from ..errors import shown_file
from .assigned_names import assigned_name
from .einsum_notation import OpCall, contract
from .element_formulas import element_formula
from .event_fields import (
    BWD_NAME,
    BWD_NODE,
    BWD_ORDER,
    BWD_TARGET,
    KIND,
    MOD_CALL,
    MOD_CLS,
    MOD_MODEL,
    MOD_PARENT,
    MOD_PATH,
    OP_ATTRS,
    OP_CALL,
    OP_CLS,
    OP_DTYPE,
    OP_ERROR,
    OP_INPUTS,
    OP_NAME,
    OP_NODE,
    OP_OUTPUTS,
    OP_PHASE,
    OP_SRC,
    OPTIM_CLS,
    OPTIM_TARGETS,
)
from .local_derivatives import LocalDerivative, local_derivative
from .model_names import ModelNames
from .op_formulas import formulas_of
from .step_values import Entry, StepCollector, Target
from .value_encoder import BUDGET, ValueEncoder

__all__ = ["trace_of"]

AROUND = 4  # lines of source above and below those that ran
LINES = 400  # of all files together
LONGEST = 160  # characters of a line
COSTLY = 50_000_000  # products; factors that need more are omitted
HOOKED = (
    "What was passed on differs from incoming · local: a hook, or backward code of the "
    "user's, has changed it."
)
RESHAPED = (
    "View", "Reshape", "UnsafeView", "ReshapeAlias", "Unsqueeze", "Squeeze", "Flatten",
)  # fmt: skip


def trace_of(collector: StepCollector, budget: int = BUDGET) -> dict[str, Any]:
    """The data of a collector, JSON-ready.

    Args:
        collector: of a `StepRecorder`.
        budget: how many numbers of values, all together.
    """
    with collector.lock:
        return _Trace(collector, budget).data()


class _Trace:
    """Builds the JSON of a recorded step."""

    def __init__(self, collector: StepCollector, budget: int = BUDGET) -> None:
        self.collector = collector
        self.values = ValueEncoder(collector.store, budget)
        self.producer: dict[int, int] = {}  # tensor id -> entry
        self.leaves: dict[int, int] = {}  # tensor id -> number among those no op made
        self.of_node: dict[int, int] = {}  # node -> forward entry
        self.arrived: dict[Target, list[tuple[int, int]]] = {}  # (entry, edge)
        self.calls: dict[int, int] = {}
        self.call_list: list[dict[str, Any]] = []
        self.files: dict[str, set[int]] = {}
        self.entries: list[dict[str, Any]] = []
        self.models = ModelNames()
        for record in collector.calls.values():
            self.models.hear(record)
        self.names = {t: self._full_name(t, n) for t, n in collector.names.items()}

    def _full_name(self, ident: int, name: str) -> str:
        """A parameter's name with that of its model, if there are several."""
        home = events.homes.get(ident, 0)
        return self.models.path(home, name) if home and name else name

    def data(self) -> dict[str, Any]:
        collector = self.collector
        for at, entry in enumerate(collector.entries):
            kind = entry.record[KIND]
            build = {"op": self._op, "bwd": self._bwd, "optim": self._optim}[kind]
            self.entries.append(build(at, entry))
        dropped = sum(self._has_dropped_values(m) for m in collector.entries)
        files = self._files()
        names = [f["name"] for f in files]
        for built in self.entries:
            place = built["src"]
            built["src"] = [names.index(place[0]), place[1]] if place else None
        return {
            "v": 1, "rev": collector.rev, "step": max(0, collector.step),
            "state": _state(collector), "partial": collector.partial,
            "moments": self.entries, "calls": self.call_list, "files": files,
            "values": self.values.data(), "dropped": dropped,
            "limit": collector.store.limit, "left_out": collector.left_out,
            "trouble": collector.trouble,
        }  # fmt: skip

    def _has_dropped_values(self, entry: Entry) -> bool:
        """Whether any of the entry's values was dropped."""
        numbers = [n for _, n in entry.inputs] + entry.outputs + [entry.after]
        numbers += [part[1] for part in entry.sent if part]
        return any(self.collector.store.dropped(n) for n in numbers)

    # ---- one entry

    def _new_entry(self, kind: str, name: str) -> dict[str, Any]:
        return {
            "kind": kind, "name": name, "phase": "", "call": -1, "src": None,
            "attrs": "", "error": "", "ins": [], "outs": [], "read": [],
            "formula": "", "recipe": None, "of": -1, "back": [], "users": [],
            "parts": [], "edges": [], "after": -1, "order": -1, "leaf": -1,
        }  # fmt: skip

    def _number(self, ident: int) -> int:
        """The number of a tensor that no op made; -1 for one without an id."""
        return self.leaves.setdefault(ident, len(self.leaves)) if ident else -1

    def _op(self, at: int, entry: Entry) -> dict[str, Any]:
        record = entry.record
        built = self._new_entry("op", record[OP_NAME])
        formulas = formulas_of(record[OP_CLS])
        text = self._place(built, record)
        attrs = record[OP_ATTRS]
        tensors = [(i, n) for i, n in entry.inputs if i or n]
        for k, (ident, number) in enumerate(tensors):
            maker = self.producer.get(ident, -1)
            if maker >= 0 and at not in self.entries[maker]["users"]:
                self.entries[maker]["users"].append(at)
            name = self.names.get(ident, "")
            given = {"v": self.values.index_of(number), "name": name, "from": maker}
            given["leaf"] = -1 if maker >= 0 else self._number(ident)
            built["ins"].append(given | {"letter": _letter(formulas.gradients, k)})
        variable = assigned_name(text, record[OP_NAME])
        for ident, number in zip(record[OP_OUTPUTS], entry.outputs, strict=False):
            name = variable if len(entry.outputs) == 1 else ""
            self.names[ident] = name or f"{record[OP_NAME]}'s result"
            self.producer[ident] = at
            built["outs"].append({"v": self.values.index_of(number), "name": name})
        if record[OP_NODE]:
            self.of_node[record[OP_NODE]] = at
        op = self._op_call(entry)
        recipe = element_formula(op) if op and len(entry.outputs) == 1 else None
        return built | {
            "phase": record[OP_PHASE],
            "call": self._call(record[OP_CALL]),
            "attrs": attrs[attrs.find("(") + 1 : -1] if attrs else "",
            "error": record[OP_ERROR],
            "read": [self.values.index_of(n) for n in entry.read],
            "formula": formulas.result,
            "recipe": recipe._asdict() if recipe else None,
        }

    def _op_call(self, entry: Entry) -> OpCall | None:
        """An op with its operands as arrays; None where one is unknown."""
        get = self.collector.store.get
        given = [get(n) for _, n in entry.inputs]
        y = get(entry.outputs[0]) if entry.outputs else None
        numbers = [n for i, n in entry.inputs if i or n]
        if y is None or any(get(n) is None for n in numbers):
            return None
        return OpCall(entry.record[OP_CLS], given, y, entry.attributes)

    def _bwd(self, at: int, entry: Entry) -> dict[str, Any]:
        record = entry.record
        if not record[BWD_NODE]:
            return self._leaf(at, entry)
        built = self._new_entry("bwd", record[BWD_NAME])
        built["order"] = record[BWD_ORDER]
        of = built["of"] = self.of_node.get(record[BWD_NODE], -1)
        forward = None
        if of >= 0:
            forward = self.collector.entries[of]
            for key in ("call", "src", "attrs"):
                built[key] = self.entries[of][key]
            self.entries[of]["back"].append(at)
        for nr, number in enumerate(entry.outputs):
            built["outs"].append({"v": self.values.index_of(number), "name": ""})
            self._join(at, built, ("node", record[BWD_NODE], nr))
        for i, part in enumerate(entry.sent):
            if part is not None:
                built["edges"].append(self._edge(at, entry, forward, i, part))
        return built

    def _leaf(self, at: int, entry: Entry) -> dict[str, Any]:
        ident = entry.record[BWD_TARGET]
        built = self._new_entry("leaf", self.names.get(ident, "") or "a leaf")
        built["order"] = entry.record[BWD_ORDER]
        built["leaf"] = self._number(ident)
        built["outs"].append({"v": self.values.index_of(entry.outputs[0]), "name": ""})
        built["after"] = self.values.index_of(entry.after)
        self._join(at, built, ("leaf", ident, 0))
        if built["parts"]:
            sender = self.entries[built["parts"][-1]["from"]]
            built["src"], built["call"] = sender["src"], sender["call"]
        return built

    def _join(self, at: int, built: dict[str, Any], target: Target) -> None:
        """Join the gradients that were sent here since the last call."""
        for sender, k in self.arrived.pop(target, []):
            edge = self.entries[sender]["edges"][k]
            edge["to"] = at
            part = {"v": edge["v"], "from": sender, "out": target[2]}
            built["parts"].append(part)

    def _edge(
        self, at: int, entry: Entry, forward: Entry | None, i: int, part: Any
    ) -> dict[str, Any]:
        target, number = part
        k = sum(p is not None for p in entry.sent[:i])
        self.arrived.setdefault(target, []).append((at, k))
        edge = {
            "to": -1, "operand": i, "name": "", "letter": "", "formula": "",
            "v": self.values.index_of(number), "form": "", "spec": "", "local": -1,
            "note": "",
        }  # fmt: skip
        if forward is None:
            return edge
        gradients = formulas_of(forward.record[OP_CLS]).gradients
        if gradients:
            edge["formula"] = gradients[min(i, len(gradients) - 1)]
            edge["letter"] = _letter(gradients, i)
        inputs = forward.record[OP_INPUTS]
        idents = [ident for ident, _ in forward.inputs]
        if i < len(idents) and idents[i] in inputs:
            edge["name"] = self.names.get(idents[i], "")
        return edge | self._factor(entry, forward, i, number)

    def _factor(self, entry: Entry, forward: Entry, i: int, number: int) -> Any:
        """The local derivative, if known and consistent with the gradient sent."""
        get = self.collector.store.get
        incoming = get(entry.outputs[0]) if len(entry.outputs) == 1 else None
        sent, op = get(number), self._op_call(forward)
        if incoming is None or sent is None or op is None:
            return {}
        if op.cls in RESHAPED and incoming.size == sent.size:
            same = np.array_equal(incoming.ravel(), sent.ravel(), equal_nan=True)
            return {"form": "reshape"} if same else {"note": HOOKED}
        local = local_derivative(op, i)
        if local is None or _cost(local, incoming) > COSTLY:
            return {}
        try:
            product = contract(local.spec, incoming, local.value, sent.shape)
        except ValueError:  # a node of a second derivative has other shapes than its op
            return {}
        if not _nearly_equal(product, sent, forward.record[OP_DTYPE]):
            return {"note": HOOKED}
        if local.operand >= 0:
            place = self.values.index_of(forward.inputs[local.operand][1])
        else:
            place = -1 if local.value is None else self.values.add_computed(local.value)
        return {"form": "product", "spec": local.spec, "local": place}

    def _optim(self, at: int, entry: Entry) -> dict[str, Any]:
        built = self._new_entry("optim", f"{entry.record[OPTIM_CLS]}.step")
        pairs = zip(
            entry.record[OPTIM_TARGETS], entry.inputs, entry.outputs, strict=False
        )
        for ident, (_, before), after in pairs:
            name = self.names.get(ident, "") or "parameter"
            given = {"v": self.values.index_of(before), "name": name, "from": -1}
            built["ins"].append(given | {"letter": "", "leaf": self._number(ident)})
            built["outs"].append({"v": self.values.index_of(after), "name": name})
        return built

    # ---- where

    def _place(self, built: dict[str, Any], record: tuple[Any, ...]) -> str:
        """Register the user's line; return its text."""
        if record[OP_SRC] < 0:
            return ""
        place = source(record[OP_SRC])
        self.files.setdefault(place.file, set()).add(place.line)
        built["src"] = (shown_file(place.file), place.line)
        return linecache.getline(place.file, place.line).strip()

    def _files(self) -> list[dict[str, Any]]:
        """The executed lines and the lines around them."""
        found: list[dict[str, Any]] = []
        left = LINES
        for file, used in self.files.items():
            name = shown_file(file)
            text = linecache.getlines(file)
            near = {n + k for n in used for k in range(-AROUND, AROUND + 1)}
            wanted = near if len(near) <= left else used
            kept = [n for n in sorted(wanted) if 1 <= n <= len(text)][:left]
            left -= len(kept)
            lines = [[n, text[n - 1].rstrip()[:LONGEST]] for n in kept]
            known = next((f for f in found if f["name"] == name), None)
            if known is None:
                found.append({"name": name, "lines": lines})
        return found

    def _call(self, call: int) -> int:
        """The index of a module call in the list; -1 outside modules."""
        record = self.collector.calls.get(call)
        if record is None:
            return -1
        if call not in self.calls:
            parent = self._call(record[MOD_PARENT])
            path = record[MOD_PATH]
            if self.models.several:
                path = self.models.path(record[MOD_MODEL], path)
            self.calls[call] = len(self.call_list)
            self.call_list.append(
                {"path": path, "cls": record[MOD_CLS], "parent": parent}
            )
        return self.calls[record[MOD_CALL]]


def _state(collector: StepCollector) -> str:
    if collector.paused:
        return "paused"
    if not collector.entries:
        return "waiting"
    return "recording" if collector.armed else "recorded"


def _letter(gradients: tuple[str, ...], i: int) -> str:
    """A formula's name for the i-th operand: "a" in "∂L/∂a = g · b"."""
    if i >= len(gradients):
        return ""
    return gradients[i].removeprefix("∂L/∂").partition(" ")[0].partition("[")[0]


def _cost(local: LocalDerivative, incoming: np.ndarray) -> int:
    """An upper bound on the products that a contraction computes."""
    left = local.spec.split("->")[0].split(",")
    sizes: dict[str, int] = {}
    for letters, array in zip(left, (incoming, local.value), strict=True):
        if array is not None:
            sizes |= dict(zip(letters, np.shape(array), strict=False))
    cost = 1
    for n in sizes.values():
        cost *= n
    return cost


def _nearly_equal(product: np.ndarray, sent: np.ndarray, dtype: str) -> bool:
    """Whether two gradients are equal up to the rounding of a dtype."""
    if sent.dtype.kind not in "fiub":
        return False
    finite = np.isfinite(sent)
    if not (np.isfinite(product) | ~finite).all():
        return False
    scale = float(np.abs(sent[finite]).max(initial=0))
    tolerance = {"float64": 1e-6, "float32": 1e-3}.get(dtype, 5e-2)
    return np.allclose(product[finite], sent[finite], tolerance, tolerance * scale)
