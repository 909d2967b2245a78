"""The events of a profile, built from the library's records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from .. import events
from .profiler_util import FunctionEvent

__all__ = ["ProfileCollector", "aten_name"]

# PyTorch's names of operations that have other names here.
ATEN: Final = {
    "border_pad": "pad",
    "constant_pad": "pad",
    "copy": "copy_",
    "cross_entropy": "cross_entropy_loss",
    "fill": "fill_",
    "logsigmoid": "log_sigmoid",
    "nll_loss": "nll_loss_nd",
    "random": "random_",
    "to_copy": "to",
    "unique": "_unique2",
}
# Operations whose names in PyTorch begin with that of their package.
LINALG: Final = (
    "cholesky", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "lu_factor",
    "matrix_rank", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd",
    "svdvals", "vector_norm",
)  # fmt: skip
FFT: Final = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
PREFIXES: Final = dict.fromkeys(LINALG, "linalg_") | dict.fromkeys(FFT, "fft_")
ENGINE: Final = "autograd::engine::evaluate_function: "


def aten_name(name: str, in_place: bool = False) -> str:
    """PyTorch's name of an operation in profiles.

    Example:
        >>> aten_name("add"), aten_name("add", in_place=True), aten_name("to_copy")
        ('aten::add', 'aten::add_', 'aten::to')
    """
    known = ATEN.get(name) or PREFIXES.get(name, "") + name
    return f"aten::{known}_" if in_place and known[-1] != "_" else f"aten::{known}"


class ProfileCollector:
    """Records of a profile as events.

    Args:
        record_shapes: give events the shapes of their operands.
        with_stack: give events the line that called them.
    """

    def __init__(self, record_shapes: bool = False, with_stack: bool = False) -> None:
        self.record_shapes, self.with_stack = record_shapes, with_stack
        self.found: list[FunctionEvent] = []
        self._shapes: dict[int, tuple[int, ...]] = {}
        self._begun: dict[tuple[int, str], list[int]] = {}
        self._last_op: dict[int, FunctionEvent] = {}  # of each thread
        self._threads: dict[int, int] = {}  # of nodes: the thread that made them

    def add(self, records: Iterable[tuple[Any, ...]]) -> None:
        """Add records, in the order in which they arrived."""
        handlers: dict[str, Any] = {
            "op": self._op, "bwd": self._node, "mark": self._mark, "span": self._span,
        }  # fmt: skip
        for entry in records:
            record = events.as_dict(entry)
            if record["kind"] in handlers:
                handlers[record["kind"]](record)

    def _event(
        self, name: str, record: dict[str, Any], *more: Any, **options: Any
    ) -> FunctionEvent:
        start, end = record["t0_ns"] / 1e3, (record["t0_ns"] + record["dur_ns"]) / 1e3
        event = FunctionEvent(0, name, record["thread"], start, end, *more, **options)
        self.found.append(event)
        return event

    def _op(self, record: dict[str, Any]) -> None:
        self._shapes.update(dict.fromkeys(record["outputs"], record["shape"]))
        given: Any = []
        if self.record_shapes:
            given = [list(self._shape(ident)) for ident in record["inputs"]]
        stack = [_line(record["src"])] if self.with_stack else []
        own = record["cls"] == "FunctionNode"  # of the user's own Function
        name = record["name"] if own else aten_name(record["name"])
        event = self._event(
            name, record, given, stack,
            cpu_memory_usage=record["nbytes"], sequence_nr=record["node"] or -1,
        )  # fmt: skip
        self._last_op[record["thread"]] = event
        if record["node"]:
            self._threads[record["node"]] = record["thread"]

    def _shape(self, ident: int) -> tuple[int, ...]:
        if ident in self._shapes:
            return self._shapes[ident]
        return events.described.get(ident, ((),))[0]

    def _node(self, record: dict[str, Any]) -> None:
        """Add an event for the engine's work, and within it one for the node's."""
        leaf = record["name"] == "AccumulateGrad"
        name = "torch::autograd::AccumulateGrad" if leaf else record["name"]
        number = record["node"] or -1
        self._event(ENGINE + name, record, [], sequence_nr=number)
        shapes = [list(record["shape"])] if self.record_shapes else []
        inner = self._event(name, record, shapes, scope=1, sequence_nr=number)
        inner.fwd_thread = self._threads.get(record["node"], 0)

    def _span(self, record: dict[str, Any]) -> None:
        """Add a step of an optimizer or a loader; rename an op that ran in place."""
        if record["what"] == "inplace":
            op = self._last_op.pop(record["thread"], None)
            if op is not None:
                name = op.name.removeprefix("aten::")
                op.name = op.trace_name = aten_name(name, in_place=True)
        elif record["what"] == "op":
            self._function(record)
        elif record["what"] != "backward":
            self._block(record["name"], record)

    def _function(self, record: dict[str, Any]) -> None:
        """Add a composite function, unless it consists of the op of that name."""
        op, began = self._last_op.get(record["thread"]), record["t0_ns"] / 1e3
        if op is None or op.name != record["name"] or op.time_range.start < began:
            self._event(record["name"], record, [], [])

    def _block(self, name: str, record: dict[str, Any]) -> None:
        block = self._event(name, record, [], scope=7, is_user_annotation=True)
        if name.startswith("ProfilerStep#"):
            block.name = "ProfilerStep*"  # averages are of all steps

    def _mark(self, record: dict[str, Any]) -> None:
        """Add a named block when it ends."""
        if record["control"]:
            return
        key = record["thread"], record["name"]
        if record["what"] == "begin":
            self._begun.setdefault(key, []).append(record["t0_ns"])
        elif record["what"] == "end" and self._begun.get(key):
            start = self._begun[key].pop()
            span = {"t0_ns": start, "dur_ns": record["t0_ns"] - start}
            self._block(record["name"], record | span)


def _line(ident: int) -> str:
    place = events.source(ident)
    return "" if place is None else f"{place.file}({place.line}): {place.func}"
