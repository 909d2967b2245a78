"""Roots of reference paths that a program can name: variables, frames, modules.

Roots are grouped. Those that a user can name and delete come first: a path from such a
root is preferred to a shorter one from inside a library.
"""

from __future__ import annotations

import re
import site
import sys
import sysconfig
import threading
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any, NamedTuple

from ..callers import is_library
from ..errors import shown_file

__all__ = ["Root", "groups_of_roots", "locals_of", "module_dicts"]


class Root(NamedTuple):
    """An object from which reference paths start, such as a variable.

    `kind` is variable, out, error, local, module or frame; `code` is its name in the
    program, "" for a namespace, whose entries have their own names.
    """

    kind: str
    code: str
    words: str
    value: Any


# variables that IPython adds to those of the user
_IPYTHONS = re.compile(r"_+|_\d+|_i+\d*|_[iod]h|In|Out|get_ipython|exit|quit|open")
_ERRORS = ("last_exc", "last_value", "last_traceback")
_ELSEWHERE = tuple(
    {sysconfig.get_paths()[k] for k in ("stdlib", "platstdlib", "purelib", "platlib")}
    | set(site.getsitepackages())
)


def groups_of_roots() -> Iterator[list[Root]]:
    """Groups of roots, the most recognisable first."""
    main = vars(sys.modules["__main__"])
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    variables = main if shell is None else shell.user_ns
    yield _variables(variables, shell is not None)
    if shell is not None:
        yield list(_outputs(variables))
    yield list(_errors(shell))
    users, others = _frames()
    yield users
    yield _modules(variables)
    yield others


def _variables(namespace: dict[str, Any], in_notebook: bool) -> list[Root]:
    description = (
        "a variable of the notebook" if in_notebook else "a variable of the program"
    )
    return [
        Root("variable", name, description, value)
        for name, value in list(namespace.items())
        if not (in_notebook and _IPYTHONS.fullmatch(name))
        and not (name.startswith("__") and name.endswith("__"))
    ]


def _errors(shell: Any) -> Iterator[Root]:
    """The last exception, which Python and IPython both keep."""
    for name in _ERRORS:
        if getattr(sys, name, None) is not None:
            yield Root("error", f"sys.{name}", "the last exception", getattr(sys, name))
    tracebacks = getattr(getattr(shell, "InteractiveTB", None), "tb", None)
    if tracebacks is not None:
        code = "get_ipython().InteractiveTB.tb"
        yield Root("error", code, "the last exception", tracebacks)


def _outputs(namespace: dict[str, Any]) -> Iterator[Root]:
    """IPython's cache of results."""
    words = "IPython's cache of outputs"
    results = namespace.get("Out")
    if isinstance(results, dict):
        for number, value in list(results.items()):
            yield Root("out", f"Out[{number}]", words, value)
    for name in ("_", "__", "___"):
        if name in namespace:
            yield Root("out", name, words, namespace[name])


def _frames() -> tuple[list[Root], list[Root]]:
    """Variables of running functions in all threads: the user's, then all others."""
    users: list[Root] = []
    others: list[Root] = []
    here = threading.get_ident()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    frame: FrameType | None
    for ident, frame in sys._current_frames().items():
        while ident == here and frame is not None and is_library(frame.f_code):
            frame = frame.f_back  # the frames of this search
        thread = "" if ident == here else f" in thread {names.get(ident, ident)}"
        while frame is not None:
            mine = _is_users(frame)
            (users if mine else others).extend(_locals(frame, thread, mine))
            frame = frame.f_back
    return users, others  # and `frame` is None: no frame refers to itself


def _locals(frame: FrameType, thread: str, users: bool) -> Iterator[Root]:
    code = frame.f_code
    place = f"{shown_file(code.co_filename)}:{frame.f_lineno}"
    words = f"a variable of {code.co_name}(), which runs{thread} ({place})"
    for name, value in locals_of(frame).items():
        yield Root("local" if users else "frame", name, words, value)


def _is_users(frame: FrameType) -> bool:
    code = frame.f_code
    file = code.co_filename
    return not (is_library(code) or file.startswith((*_ELSEWHERE, "<frozen")))


def locals_of(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame, read without leaving a copy in the frame.

    Example:
        >>> locals_of((lambda x: sys._getframe())(3))
        {'x': 3}
    """
    if not frame.f_code.co_flags & CO_OPTIMIZED:
        return {}  # the frame of a module, itself a root, or of a class
    held = frame.f_locals
    values = dict(held)
    # before Python 3.13 the frame keeps a copy, which other calls of `locals()` share
    if isinstance(held, dict) and sys.getrefcount(held) <= 3:
        held.clear()
    return values


def module_dicts() -> dict[int, str]:
    """Names of modules by the id of their dictionaries."""
    return {id(vars(m)): name for name, m in _loaded()}


def _loaded() -> list[tuple[str, Any]]:
    return [(n, m) for n, m in list(sys.modules.items()) if type(m) is _MODULE]


_MODULE = type(sys)


def _modules(variables: dict[str, Any]) -> list[Root]:
    return [
        Root("module", "", f"module {name}", vars(module))
        for name, module in _loaded()
        if vars(module) is not variables
    ]
