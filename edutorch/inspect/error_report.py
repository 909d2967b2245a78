"""Explains why an operation failed: the names of its operands and the mismatch.

The report is made from an exception and its traceback. Nothing is run again, and the
report keeps neither a tensor nor a frame alive.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from ..autograd.dispatch import ENTRY_POINTS
from ..autograd.inplace_lines import holders_of, inplace_lines
from ..autograd.inplace_variants import IN_PLACE_CODE
from ..autograd.node import Op
from ..autograd.op_errors import HINTS
from ..autograd.saved_tensors import refuse_modified
from ..callers import is_library
from ..errors import locals_of
from ..tensor.tensor import Tensor
from .autograd_graph import autograd_graph
from .graph import GraphRecorder
from .mismatch import Operand
from .shape_rules import find_mismatch
from .source_operands import line_of, operator_tensors, place_of, source_names

__all__ = ["report_error"]

LONGEST = 2000  # characters of a message
MOST = 16  # operands
MOST_NODES = 400  # of the graph in a report
FOREIGN = ("numpy", "scipy", "numba")  # packages that the library calls

MORE = {
    "modified by an inplace operation": "write the result to a new tensor, as in "
    "`x = x + 1` for `x.add_(1)`, or change a clone of it",
    "only for scalar outputs": "reduce the result first, as in loss.mean()",
    "match target batch_size": "give one target for each row of the input",
    "scalar types: Long, Int": "indices are whole numbers: convert them with x.long()",
    " is out of bounds.": "classes are counted from 0; the last layer needs an output "
    "for each",
}


class TracebackEntry(NamedTuple):
    """An entry of a traceback."""

    frame: FrameType
    instruction: int
    line: int


def report_error(
    error: BaseException, recorder: GraphRecorder | None = None
) -> dict[str, Any] | None:
    """A JSON-ready report of an error; None if no tensor operation failed.

    Args:
        error: the exception, with its traceback.
        recorder: holds the operations so far, and the forward line of a failed
            backward; by default, the graph recorded for the operands is used.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.ones(2, 3), torch.ones(4, 5)
        >>> try:
        ...     a @ b
        ... except RuntimeError as error:
        ...     report = report_error(error)
        >>> report["op"], [o["lit"] for o in report["operands"]]
        ('matmul', [[1], [0]])
    """
    calls = list(_calls(error.__traceback__))
    at = _last_of_program(calls)
    if at is None:
        return None
    failed = _failed(calls[at + 1 :]) or _failed_operator(error, calls[at])
    if failed is None:
        return None
    caller, inner = calls[at], calls[at + 1 :]
    callee = inner[0].frame if inner else None
    names = source_names(caller.frame, caller.instruction, callee)
    changes = _changes(calls[: at + 1], inner, failed.operands, names)
    message = str(error)[:LONGEST]
    operands = [_operand(role, t) for role, t in failed.operands]
    mismatch = find_mismatch(failed.op, operands, message, failed.attributes)
    ends = [value for _, value in failed.operands] if not failed.node else [failed.node]
    pairs = zip(operands, (value for _, value in failed.operands), strict=True)
    return {
        "v": 1,
        "rev": 1,
        "type": type(error).__name__,
        "message": message,
        "op": failed.op,
        "attrs": failed.described,
        "module": _noted(error, "in module: ") or _module_path(calls),
        "hint": _noted(error, "hint: ") or _hint(message),
        "rule": mismatch.rule,
        "right": mismatch.right,
        "src": line_of(caller.frame, caller.line),
        "operands": [
            {
                "name": names.get(id(value), ""),
                "role": operand.role,
                "shape": list(operand.shape),
                "lit": sorted(mismatch.marked.get(i, ())),
                "dtype": operand.dtype,
                "device": operand.device,
                "wrong": mismatch.wrong.get(i, ""),
            }
            for i, (operand, value) in enumerate(pairs)
        ],
        "changes": changes,
        "forward": _forward_line(failed.node, recorder),
        "graph": _graph(failed, recorder)
        or autograd_graph(failed.op, message, ends, names),
    }


def _graph(
    failed: FailedOperation, recorder: GraphRecorder | None
) -> dict[str, Any] | None:
    """The recorded graph, unless it is large or belongs to another computation."""
    tensors = [t for _, t in failed.operands if isinstance(t, Tensor)]
    node = failed.node.seq if failed.node else 0
    if recorder is None or not recorder.shows(tensors, node):
        return None
    graph = recorder.snapshot()
    return graph if len(graph["nodes"]) <= MOST_NODES else None


def _forward_line(
    node: Op | None, recorder: GraphRecorder | None
) -> dict[str, Any] | None:
    """The line of the forward op whose backward failed."""
    if node is None or recorder is None:
        return None
    return recorder.line_of_node(node.seq)


def _calls(traceback: TracebackType | None) -> Iterator[TracebackEntry]:
    while traceback is not None:
        yield TracebackEntry(
            traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno
        )
        traceback = traceback.tb_next


def _is_foreign(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in FOREIGN


def _last_of_program(calls: list[TracebackEntry]) -> int | None:
    """The index of the program's innermost entry, which called what failed."""
    own = [
        i
        for i, call in enumerate(calls)
        if not is_library(call.frame.f_code) and not _is_foreign(call.frame)
    ]
    return own[-1] if own else None


class FailedOperation(NamedTuple):
    """A failed op, or a library function that failed before it ran one."""

    op: str
    described: str
    operands: list[tuple[str, Any]]  # tensors, or the array of a saved result
    attributes: dict[str, Any]
    node: Op | None = None  # the op whose backward failed


def _failed(inner: list[TracebackEntry]) -> FailedOperation | None:
    """The op at which a traceback ends, or the function that refused its arguments."""
    for call in reversed(inner):
        local = locals_of(call.frame)
        op = local.get("op")
        if isinstance(op, Op) and call.frame.f_code in ENTRY_POINTS:
            given = local.get("operands") or (local.get("a"), local.get("b"))
            return _failed_op(op, given, _roles(inner))
        if call.frame.f_code is refuse_modified.__code__:
            return _failed_backward(local)
    functions = [_failed_function(call.frame) for call in inner]
    known = [
        found
        for found, call in zip(functions, inner, strict=True)
        if found.operands and _is_operation(call.frame)
    ]
    plain = [found for found in known if not found.op[:1].isupper()]
    return next(iter(plain or known), None)


def _is_operation(frame: FrameType) -> bool:
    """Whether a function may be the operation that the program called.

    Calls of modules, wrappers and optimizers only pass arguments on.
    """
    code = frame.f_code
    wrapper = code.co_flags & inspect.CO_NESTED and code not in IN_PLACE_CODE
    optimizer = ".optim." in str(frame.f_globals.get("__name__"))
    call = getattr(type(locals_of(frame).get("self")), "__call__", None)  # noqa: B004 (its code)
    return not (wrapper or optimizer or getattr(call, "__code__", None) is code)


def _roles(inner: list[TracebackEntry]) -> dict[int, str]:
    """The parameter names of library functions by the `id` of the arguments."""
    roles: dict[int, str] = {}
    for call in inner:
        for name, value in _parameters(call.frame):
            if isinstance(value, Tensor) and len(name) > 1:
                roles.setdefault(id(value), name)
    return roles


def _parameters(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The parameters of a running function; a list counts as its elements."""
    code, local = frame.f_code, locals_of(frame)
    count = code.co_argcount + code.co_kwonlyargcount
    for name in code.co_varnames[:count]:
        value = local.get(name)
        several = value if isinstance(value, (list, tuple)) else [value]
        label = "" if isinstance(value, (list, tuple)) else name
        for one in several:
            yield ("input" if label == "self" else label), one
    if code.co_flags & inspect.CO_VARARGS:
        for one in local.get(code.co_varnames[count]) or ():
            yield "", one


def _failed_op(op: Op, given: Any, roles: dict[int, str]) -> FailedOperation:
    tensors = [(roles.get(id(t), ""), t) for t in given if isinstance(t, Tensor)]
    attributes = {name: getattr(op, name, None) for name in op.attributes}
    return FailedOperation(op.public, op.describe(), tensors[:MOST], attributes)


def _failed_operator(
    error: BaseException, caller: TracebackEntry
) -> FailedOperation | None:
    """An operator that Python itself refused, such as `x + "a"`."""
    if not isinstance(error, TypeError):
        return None
    op, found = operator_tensors(caller.frame, caller.instruction)
    tensors = [("", value) for value in found if isinstance(value, Tensor)]
    return FailedOperation(op, op, tensors, {}) if tensors else None


def _failed_backward(local: dict[str, Any]) -> FailedOperation:
    """A backward pass that found a saved tensor or result array modified."""
    node, what = local["node"], local["what"]
    saved = what if isinstance(what, Tensor) else local["array"]
    return FailedOperation(
        node.public, f"backward of {node.describe()}", [("saved", saved)], {}, node
    )


def _failed_function(frame: FrameType) -> FailedOperation:
    """A library function that refused its arguments."""
    code, local = frame.f_code, locals_of(frame)
    given = list(_parameters(frame))
    tensors = [pair for pair in given if isinstance(pair[1], Tensor)]
    attributes = {
        name or "equation": value
        for name, value in given
        if isinstance(value, str) or (name and type(value) is int)
    }
    op = code.co_name.removeprefix("_tensor_").strip("_")
    if code in IN_PLACE_CODE:  # a variable has the name of the op
        op = str(local.get("name"))
    elif hasattr(local.get("self"), "_modules"):
        op = type(local["self"]).__name__
    shown = ", ".join(f"{key}={value!r}"[:40] for key, value in attributes.items())
    return FailedOperation(op, f"{op}({shown})", tensors[:MOST], attributes)


def _operand(role: str, value: Any) -> Operand:
    data = value._data if isinstance(value, Tensor) else value
    dtype = value.dtype.name if isinstance(value, Tensor) else str(value.dtype)
    device = str(value._device) if isinstance(value, Tensor) else "cpu"
    return Operand(role, tuple(map(int, data.shape)), dtype, device)


def _hint(message: str) -> str:
    """General advice for errors that no op could explain."""
    return next((h for words, h in (HINTS | MORE).items() if words in message), "")


def _noted(error: BaseException, head: str) -> str:
    """One line of the notes that the library adds to its errors."""
    notes = [str(note).strip() for note in getattr(error, "__notes__", ())]
    return next((n.removeprefix(head) for n in notes if n.startswith(head)), "")


def _module_path(calls: list[TracebackEntry]) -> str:
    """The dotted path of the module that was running."""
    running = [locals_of(call.frame).get("self") for call in calls]
    running = [m for m in running if "_modules" in getattr(m, "__dict__", ())]
    if not running:
        return ""
    paths = {id(module): path for path, module in _modules(running[0])}
    return paths.get(id(running[-1])) or type(running[-1]).__name__


def _modules(module: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    yield prefix.removesuffix("."), module
    for name, inner in getattr(module, "__dict__", {}).get("_modules", {}).items():
        yield from _modules(inner, f"{prefix}{name}.")


def _changes(
    program: list[TracebackEntry],
    inner: list[TracebackEntry],
    saved: list[tuple[str, Any]],
    names: dict[int, str],
) -> list[dict[str, Any]]:
    """The lines that may have changed in place a tensor needed by backward."""
    refused = [c for c in inner if c.frame.f_code is refuse_modified.__code__]
    if not refused:
        return []
    array = locals_of(refused[-1].frame).get("array")
    found: list[dict[str, Any]] = []
    for call in program:
        tensors, optimizers = holders_of(call.frame, array)
        if tensors:
            names.setdefault(id(saved[0][1]), tensors[0])
        lines = inplace_lines({*tensors, *optimizers}, call.frame)
        found += map(place_of, lines)
    return found
