"""Gradient norms by layer and step."""

from __future__ import annotations

import math
import statistics
import sys
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import events, module_events
from .event_fields import (
    KIND,
    MARK_CONTROL,
    MARK_WHAT,
    MOD_MODEL,
    OPTIM_TARGETS,
    STAT_BAD,
    STAT_IDENT,
    STAT_NORM,
    STAT_WHAT,
    STEP,
)
from .model_names import number_models
from .recorder import Recorder

__all__ = ["GradientRecorder", "Rules", "norms_of"]

ROWS = 400  # steps held; when full, every other one is dropped
MARKS = 200
MEDIAN_OF = 32  # steps over which the usual norm of a layer is computed
TINY = 1e-30  # a sum of squares below this may have lost digits in float32


class Rules:
    """The thresholds at which a gradient norm is marked.

    Args:
        vanishing: a norm below this.
        exploding: a norm above this.
        jump: a norm above this many times the layer's median over the last
            32 steps (once 8 are known); 0 switches the rule off.

    Example:
        >>> Rules().judge(3.1e-9, [])
        ('vanishing', 'norm 3.1e-09 < 1e-07')
    """

    def __init__(
        self, vanishing: float = 1e-7, exploding: float = 1e4, jump: float = 100.0
    ) -> None:
        self.vanishing = vanishing
        self.exploding = exploding
        self.jump = jump

    def judge(self, norm: float, recent: Any) -> tuple[str, str] | None:
        """The mark of a norm and the rule behind it; None if the norm is normal."""
        if not math.isfinite(norm):
            return "nonfinite", f"norm is {norm}"
        if norm < self.vanishing:
            return "vanishing", f"norm {norm:.3g} < {self.vanishing:.4g}"
        if norm > self.exploding:
            return "exploding", f"norm {norm:.3g} > {self.exploding:.4g}"
        if self.jump and len(recent) >= 8:
            usual = statistics.median(recent)
            if norm > self.jump * usual > 0:
                rule = f"norm {norm:.2g} > {self.jump:g} x median {usual:.2g}"
                return "exploding", rule
        return None

    def lingers(self, norm: float, kind: str) -> bool:
        """Whether a norm is still too close to a threshold for its mark to end."""
        if kind == "vanishing":
            return norm < 3 * self.vanishing
        return kind == "exploding" and norm > self.exploding / 3


# a parameter: the number of its model, the model's class, and the dotted name
Layer = tuple[int, str, str]


class _Series:
    """Rows of norms, one per step, with their marks."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.layers: list[Layer] = []
        # the steps, and their norms in the order of the layers
        self.rows: list[tuple[int, list[float | None]]] = []
        self.marks: deque[tuple[int, Layer, str, str]] = deque(maxlen=MARKS)
        self.stride = 1
        self.first_step = 0  # the step in which recording began
        self.rev = 0
        self._taken = 0  # steps with norms
        self._state: dict[Layer, str] = {}
        self._recent: dict[Layer, deque[float]] = {}

    def add(self, step: int, norms: dict[Layer, float]) -> None:
        """Add the norms of one step, counted from the opening of the recorder."""
        step -= self.first_step
        for layer, norm in norms.items():
            self._judge(step, layer, norm)
        if self._taken % self.stride == 0:
            row = [_short(norms.get(layer)) for layer in self.layers]
            self.rows.append((step, row))
            if len(self.rows) > ROWS:
                self._thin()
        self._taken += 1
        self.rev += 1  # last, so that a reader of the new number finds the row

    def _thin(self) -> None:
        self.stride *= 2
        self.rows = self.rows[::2]

    def _judge(self, step: int, layer: Layer, norm: float) -> None:
        recent = self._recent.get(layer)
        if recent is None:
            recent = self._recent[layer] = deque(maxlen=MEDIAN_OF)
            self.layers.append(layer)
        before = self._state.get(layer, "")
        kind, rule = self.rules.judge(norm, recent) or ("", "")
        if not kind and self.rules.lingers(norm, before):
            kind = before
        if kind and kind != before:  # marked where it begins
            self.marks.append((step, layer, kind, rule))
        self._state[layer] = kind
        if math.isfinite(norm):
            recent.append(norm)

    def data(self) -> dict[str, Any]:
        """The series, complete even while another thread appends to it."""
        rev, rows, layers = self.rev, list(self.rows), list(self.layers)
        width = len(layers)  # some layers may have been added later
        names = _names_of(layers)
        marks = [mark for mark in list(self.marks) if mark[1] in names]
        return {
            "v": 1,
            "rev": rev,
            "layers": list(names.values()),
            "steps": [step for step, _ in rows],
            "norms": [row + [None] * (width - len(row)) for _, row in rows],
            "marks": [
                {"step": step, "layer": names[layer], "kind": kind, "rule": rule}
                for step, layer, kind, rule in marks
            ],
            "stride": self.stride,
        }


def _names_of(layers: list[Layer]) -> dict[Layer, str]:
    """The parameters' names; with the name of the model if there are several."""
    labels = number_models(dict(layer[:2] for layer in layers))
    alone = len(labels) < 2
    return {
        layer: layer[2] if alone else f"{labels[layer[0]]}.{layer[2]}"
        for layer in layers
    }


def _short(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.4g}")


def _ends_step(record: tuple[Any, ...]) -> bool:
    return (
        record[KIND] == "mark"
        and record[MARK_CONTROL] == "step"
        and record[MARK_WHAT] == "end"
    )


Finder = Callable[[list[int]], dict[Layer, Any]]


def _parameters_of(model: Any) -> Finder:
    """The named parameters of a module that is referenced weakly."""
    if not hasattr(model, "named_parameters"):
        raise TypeError(f"model: a Module is expected, got {type(model).__name__}")
    held = weakref.ref(model)

    def parameters(_: list[int]) -> dict[Layer, Any]:
        module = held()
        named = () if module is None else module.named_parameters()
        return {(0, "", name): parameter for name, parameter in named}

    return parameters


def _parameters_of_calls(numbers: list[int]) -> dict[Layer, Any]:
    """The named parameters of the called modules that have these numbers in `events`.

    A parameter of several of them has its name in the first.
    """
    named: dict[Layer, Any] = {}
    seen: set[int] = set()
    models = {n: module for module, n in module_events.models.items() if n in numbers}
    for number in (n for n in numbers if n in models):
        cls = type(models[number]).__name__
        for name, parameter in models[number].named_parameters():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                named[number, cls, name] = parameter
    return named


class _FromParameters:
    """Reads gradients when the optimizer that uses them steps."""

    def __init__(self, find: Finder, series: _Series) -> None:
        self.series = series
        self.find = find
        self.models: list[int] = []  # in the order of their first calls
        self.parameters: list[tuple[Layer, weakref.ref[Any]]] = []
        self.norms: dict[Layer, float] = {}  # of the current training step

    def handle(self, record: tuple[Any, ...]) -> None:
        """Record the norms of an optimizer's gradients when it steps."""
        if record[KIND] == "mod":
            if record[MOD_MODEL] not in self.models:
                self.models.append(record[MOD_MODEL])
                self._find()
        elif record[KIND] == "optim":
            self._read(set(record[OPTIM_TARGETS]))
        elif _ends_step(record):
            self._read(None)  # parameters that belong to no optimizer
            norms, self.norms = self.norms, {}
            if norms:
                self.series.add(record[STEP], norms)

    def _read(self, targets: set[int] | None) -> None:
        """Record norms not recorded yet: of these parameters, or of all (None)."""
        named = [
            (layer, p._grad._data)
            for layer, p in self._with_gradients()
            if layer not in self.norms and (targets is None or p._tensor_id in targets)
        ]
        norms = norms_of([g for _, g in named])
        layers = [layer for layer, _ in named]
        self.norms.update(zip(layers, norms, strict=True))

    def _with_gradients(self) -> list[tuple[Layer, Any]]:
        if self.series.rev % 64 == 0:  # parameters may have been added or replaced
            self._find()
        found = []
        for layer, ref in self.parameters:
            parameter = ref()
            if parameter is not None and parameter._grad is not None:
                found.append((layer, parameter))
        return found

    def _find(self) -> None:
        named = self.find(self.models)
        if named:
            self.parameters = [(layer, weakref.ref(p)) for layer, p in named.items()]


class _FromRecords:
    """Takes norms from "stat" records, which are estimated from samples."""

    def __init__(self, series: _Series) -> None:
        self.series = series
        self.norms: dict[str, float] = {}
        self.used: dict[str, float] = {}  # norms of gradients that optimizers have used

    def handle(self, record: tuple[Any, ...]) -> None:
        """Collect the gradients of named parameters until the step ends."""
        if record[KIND] == "stat" and record[STAT_WHAT] == "grad":
            name = events.names.get(record[STAT_IDENT])
            if name is not None:
                bad = record[STAT_BAD]
                self.norms[name] = math.nan if bad else record[STAT_NORM]
        elif record[KIND] == "optim":
            used = {events.names.get(t) for t in record[OPTIM_TARGETS]}
            now = {name: x for name, x in self.norms.items() if name in used}
            self.used = now | self.used
        elif self.norms and _ends_step(record):
            norms = self.norms | self.used
            self.series.add(record[STEP], {(0, "", n): x for n, x in norms.items()})
            self.norms, self.used = {}, {}


class GradientRecorder(Recorder):
    """The gradient norm of each parameter in each training step, as used by the step.

    A training step ends when each optimizer has stepped. With `model` or `called`, the
    norms are exact and read directly from the parameters, which needs only level 1.
    Otherwise they come from the summaries of level 2, for parameters whose names a
    module has announced.

    Args:
        model: the module whose parameters are watched; held weakly.
        name: the key of the subscription.
        rules: when to mark a norm as vanishing or exploding.
        called: watch all modules that the program calls, instead of one model.

    Example:
        >>> import edutorch as torch
        >>> net = torch.nn.Linear(1, 1)
        >>> optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        >>> recorder = torch.inspect.GradientRecorder(net)
        >>> _ = recorder.open()
        >>> net(torch.ones(1)).sum().backward()
        >>> optimizer.step()
        >>> recorder.close()
        >>> recorder.series()["layers"], recorder.series()["norms"]
        (['weight', 'bias'], [[1.0, 1.0]])
    """

    def __init__(
        self,
        model: Any = None,
        name: str = "inspect.gradients",
        rules: Rules | None = None,
        called: bool = False,
    ) -> None:
        self._series = series = _Series(rules or Rules())
        collector: _FromParameters | _FromRecords
        if model is not None:
            self.kinds = ("mark", "optim")
            collector = _FromParameters(_parameters_of(model), series)
        elif called:
            self.kinds = ("mark", "optim", "mod")
            collector = _FromParameters(_parameters_of_calls, series)
        else:
            collector = _FromRecords(series)
        level = 2 if isinstance(collector, _FromRecords) else 1
        super().__init__(name, collector, level)

    def _started(self, subscription: events.Subscription) -> None:
        self._series.first_step = events.step

    @property
    def rules(self) -> Rules:
        """The thresholds; they may be changed at any time."""
        return self._series.rules

    @property
    def rev(self) -> int:
        """A number that increases with every training step."""
        return self._series.rev

    def replay(self, records: Any) -> GradientRecorder:
        """Add records stored elsewhere."""
        for record in records:
            self._collector.handle(record)
        return self

    def series(self) -> dict[str, Any]:
        """Norms per layer and step with their marks, as JSON-ready data."""
        return self._series.data()


def norms_of(gradients: list[Any]) -> list[float]:
    """The L2 norms of arrays; arrays on a GPU are fetched in one copy.

    Example:
        >>> norms_of([np.array([3.0, 4.0]), np.zeros(2)])
        [5.0, 0.0]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        squares = [_square(g) for g in gradients]
    if any(hasattr(s, "get") for s in squares):
        squares = sys.modules["cupy"].stack(squares).get()
    return [
        math.sqrt(s) if TINY < s < math.inf else _norm_of_scaled(g)
        for s, g in zip(map(float, squares), gradients, strict=True)
    ]


def _square(g: Any) -> Any:
    flat = g.reshape(-1)
    if flat.dtype.kind in "cW":
        flat = abs(flat)
    elif flat.dtype.itemsize < 4:
        flat = flat.astype(np.float32)
    return flat.dot(flat)


def _norm_of_scaled(g: Any) -> float:
    """The norm of numbers whose squares overflow in float32, or underflow."""
    host = g.get() if hasattr(g, "get") else g
    wide = abs(host).astype(np.float64)
    top = float(wide.max(initial=0))
    scaled = math.isfinite(top) and top > 0
    return top * float(np.linalg.norm(wide / top)) if scaled else top
