"""Explanations added to exceptions, and the error of names that are missing.

The type and the first line are PyTorch's; the notes below give the op, its operands
*under their names in the caller's source*, their shapes, dtypes and devices, and a
hint. The notes are computed only after a failure, so they cost nothing otherwise.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any

from . import events
from .callers import caller_frame
from .syntax_trees import expression_at

__all__ = [
    "python_type_name",
    "AcceleratorError",
    "OutOfMemoryError",
    "describe",
    "explain",
    "locals_of",
    "missing_name",
    "operand_names",
    "raise_if",
    "shown_file",
    "value_of",
]


class AcceleratorError(RuntimeError):
    """A GPU failed."""


class OutOfMemoryError(RuntimeError):
    """A device is out of memory."""


# Modules and functions of PyTorch that are left out, and what to do instead.
_LEFT_OUT = dict.fromkeys(
    ("compile", "compiler", "export", "fx", "jit"),
    "edutorch does not compile or export programs: it runs them line by line, so that "
    "they can be watched; the model itself, called directly, gives the same results",
)


def missing_name(module: str, name: str) -> AttributeError:
    """The error for a name that the package lacks."""
    error = AttributeError(f"module {module!r} has no attribute {name!r}")
    if name in _LEFT_OUT:
        error.add_note(f"  hint: {_LEFT_OUT[name]}")
    return error


def describe(value: Any) -> str:
    """One operand in words: shape, dtype and device of a tensor, the repr of others."""
    if hasattr(value, "_data"):
        shape = tuple(value._data.shape)
        return f"shape {shape}, {value._data.dtype}, {value._device}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"array of shape {tuple(value.shape)}, {value.dtype}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def raise_if(error: Exception | None) -> None:
    """Raise an error that a check has found, if it has.

    A function that raises what it has a name for keeps itself alive, and with it all
    operands: the error holds its traceback, that the function's frame, and that the
    error. So pass the error on unnamed: `raise_if(broadcast_error(shapes))`.

    Raises:
        Exception: the error given.
    """
    try:
        if error is not None:
            raise error from None
    finally:
        del error


def shown_file(file: str) -> str:
    """A file under the name that the user knows: `In [3]` for that of a cell.

    Example:
        >>> shown_file("train.py")
        'train.py'
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return f"In [{cells[file]}]" if file in cells else file


def operand_names(operands: Sequence[Any]) -> list[str]:
    """The caller's own words for each operand, or "" where they are not to be had.

    The running expression is found from the caller's bytecode positions, and its
    variables are matched with the operands by identity; nothing is run again.
    """
    frame = caller_frame()
    found: dict[int, str] = {}
    for text, value in _variables(frame):
        found.setdefault(id(value), text)
    return [found.get(id(operand), "") for operand in operands]


def _variables(frame: Any) -> Iterable[tuple[str, Any]]:
    tree = expression_at(frame.f_code, frame.f_lasti)
    scope = {**frame.f_globals, **locals_of(frame)}
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield from value_of(node, scope)


def locals_of(frame: Any) -> dict[str, Any]:
    """The variables of a frame.

    Before Python 3.13 a function's frame keeps the dictionary that it hands out, and
    with it everything it names: so that tensors can die, it is emptied again.
    """
    handed_out = frame.f_locals
    found = dict(handed_out)
    is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED
    if is_function and isinstance(handed_out, dict):
        handed_out.clear()
    return found


def value_of(node: ast.expr, scope: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """A dotted name and its value, read without running properties."""
    dotted = ast.unparse(node)
    head, *rest = dotted.split(".")
    if not dotted.replace(".", "").isidentifier() or head not in scope:
        return
    value = scope[head]
    for name in rest:
        here = getattr(value, "__dict__", {})
        inner = {**here.get("_parameters", {}), **here.get("_modules", {}), **here}
        if name not in inner:
            return
        value = inner[name]
    yield dotted, value


def _module_path() -> str:
    """The dotted path of the module whose `forward` failed, from the frames.

    With listeners, it is in `events.thread_local`; otherwise it is looked up here.
    """
    running: list[Any] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        owner = locals_of(frame).get("self")
        if "_modules" in getattr(owner, "__dict__", ()):
            running.append(owner)
        frame = frame.f_back
    if not running:
        return ""
    innermost, outermost = running[0], running[-1]
    paths = {id(module): path for path, module in outermost.named_modules()}
    return paths.get(id(innermost)) or type(innermost).__name__


def explain(
    error: BaseException, op: Any, operands: Sequence[Any], hint: str = ""
) -> BaseException:
    """Add notes to an exception, and return it."""
    error.add_note(f"  op: {op.describe() if hasattr(op, 'describe') else op}")
    names = operand_names(operands)
    for i, (operand, name) in enumerate(zip(operands, names, strict=True)):
        label = f"`{name}`" if name else f"operand {i}"
        error.add_note(f"  {label}: {describe(operand)}")
    path = events.thread_local.state.path or _module_path()
    if path:
        error.add_note(f"  in module: {path}")
    if hint:
        error.add_note(f"  hint: {hint}")
    return error


def python_type_name(value: Any) -> str:
    """What messages call the type of a value; NumPy's have their module's name.

    Example:
        >>> import numpy as np
        >>> python_type_name(1.5), python_type_name(np.float32(1.5))
        ('float', 'numpy.float32')
    """
    kind = type(value)
    home = getattr(kind, "__module__", "")  # `exec` may make classes without one
    return f"numpy.{kind.__name__}" if home == "numpy" else kind.__name__
