"""The requirements of functions that PyTorch implements in Python.

Their arguments are checked only where they are passed on. `python_functions.txt` has
the names of functions (those of `nn.functional` behind "F."), ":", for some an argument
or an expression in parentheses and "?" (the line is for calls where it is true), and
steps between semicolons: an attribute of an argument, `bool` of an argument that is
tested, an expression behind "=" that is evaluated, or a call of a function or method
that is compared. "?" is a value that PyTorch computes. Behind the name of an argument
"*" makes one number several, "@" takes the only element of a sequence of one, "^" that
which is a sequence, and "~" denotes sizes of which None is replaced. "=" begins an
expression, without ", ", among the arguments, too.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from ..errors import python_type_name
from ..tensor.conversions import ambiguous
from ..tensor.tensor import Tensor
from .argument_parser import parse, signatures_of
from .signatures import Unknown

__all__ = ["python_error"]


def python_error(name: str, values: dict[str, Any]) -> Exception | None:
    """PyTorch's error for the arguments of a function written in Python, or None.

    Args:
        name: the function.
        values: its arguments and defaults.

    Example:
        >>> python_error("F.relu", {"input": 1})
        TypeError("relu(): argument 'input' (position 1) must be Tensor, not int")
    """
    lines = _table().get(name, [])
    for condition, steps in lines:
        holds = values.get(condition)
        if condition[:1] == "(":
            try:
                holds = _evaluated(condition, values)
            except Exception as error:  # noqa: BLE001 - it is the answer
                return error
        if not condition or not (holds is None or holds is False):
            errors = (_step_error(step, values) for step in steps)
            return next((e for e in errors if e is not None), None)
    return None


@functools.cache
def _table() -> dict[str, list[tuple[str, list[str]]]]:
    """Conditions and steps, by function."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    file = Path(__file__).with_name("python_functions.txt")
    for line in file.read_text().splitlines():
        names, _, rest = line.partition(": ")
        condition = re.match(r"(\w+|\(.*?\))\? ", rest)
        steps = rest[condition.end() if condition else 0 :].split("; ")
        for name in names.split():
            entry = (condition[1] if condition else "", steps)
            found.setdefault(name, []).append(entry)
    return found


def _step_error(step: str, values: dict[str, Any]) -> Exception | None:
    """The error that a step would raise."""
    if step[0] == "=":
        try:
            _evaluated(step[1:], values)
        except Exception as error:  # noqa: BLE001 - it is the answer
            return error
        return None
    function, _, listed = step.removesuffix(")").partition("(")
    if function == "bool":
        value = values.get(listed)
        several = isinstance(value, Tensor) and value.numel() != 1
        return ambiguous(value) if several else None
    owner, dot, attribute = function.partition(".")
    if owner and dot:
        value = values.get(owner)
        if isinstance(value, (Tensor, Unknown)) or hasattr(value, attribute):
            return None
        kind = python_type_name(value)
        return AttributeError(f"'{kind}' object has no attribute '{attribute}'")
    placed, named = [], {}
    for text in listed.split(", ") if listed else []:
        key, equals, _ = text.partition("=")
        if key and equals:
            named[key] = values.get(key)
        else:
            placed.append(_value(text, values))
    name = attribute or owner
    words = parse(name, signatures_of(name, method=bool(dot)), placed, named)
    return TypeError(words) if words else None


def _evaluated(expression: str, values: dict[str, Any]) -> Any:
    """The value of an expression of arguments, unless one of them is not known."""
    for name, value in values.items():
        if isinstance(value, Unknown) and name in expression:
            return value
    try:  # the expressions are those of the file
        return eval(expression, dict(values))  # noqa: S307  # no user's text
    except NameError:
        return Unknown()


def _value(text: str, values: dict[str, Any]) -> Any:
    """The value of a step's argument."""
    if text[0] == "=":
        return _evaluated(text[1:], values)
    value = values.get(text.rstrip("*?@^~"), Unknown())
    sign, sequence = text[-1], isinstance(value, (tuple, list))
    if sign in "@^" and len(value) == 1:
        return value[0] if sign == "@" or isinstance(value[0], (tuple, list)) else value
    if sign == "~" and not isinstance(value, Unknown) and hasattr(value, "__len__"):
        return [0 if v is None else v for v in value]
    several = sign == "*" and not sequence and not isinstance(value, Unknown)
    return (value, value) if several else value
