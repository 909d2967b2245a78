"""Records of module calls: `mod`, created by `Module.__call__`."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, Final

from . import events
from .events import (
    buffers,
    clock,
    handlers,
    homes,
    names,
    next_id,
    next_number,
    tensor_id,
    thread_local,
)
from .memory_events import label_all

__all__ = [
    "classes", "enter_module", "leave_module", "models", "name_of", "note_replicas",
]  # fmt: skip

# a number for each module called from outside any, kept as long as the module
models: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
classes: dict[int, str] = {}  # the classes of those models, also when they are gone
MOST: Final = 10_000  # of these, and of named buffers


def enter_module(module: Any) -> None:
    """`Module.__call__` reports its start; the outermost call names the modules."""
    state = thread_local.state
    if not state.calls:
        state.model = models.get(module) or _number(module)
        state.paths = _name_all(module, state.model)
    parent, call = state.call, next_id()
    state.calls.append((parent, state.path))
    kind = type(module).__name__
    path = state.paths.get(id(module), kind)
    state.call, state.path = call, path
    handler = handlers["mod"]
    if handler is not None:
        handler(
            ("mod", next_number(), clock(), 0, state.thread, events.step,
             "enter", call, parent, path, kind, module.training, state.model)
        )  # fmt: skip


def _number(model: Any) -> int:
    """Give a model the next number."""
    number = models[model] = next_id()
    if len(classes) >= MOST:
        for old in list(classes)[: MOST // 2]:
            classes.pop(old, None)
    classes[number] = type(model).__name__
    return number


def note_replicas(model: Any, replicas: Iterable[Any]) -> None:
    """Give copies of a model the number of the original, so that its name is theirs."""
    number = models.get(model) or _number(model)
    for replica in replicas:
        models[replica] = number


def _name_all(model: Any, number: int) -> dict[int, str]:
    """The dotted path of each module of a model, by its id; parameters learn theirs.

    As `named_modules` and `named_parameters`, in one walk: it is made for each call.
    Buffers are named, too, so that listeners to memory know whose they are.
    """
    paths: dict[int, str] = {}
    seen: set[int] = set()  # a parameter of several modules has its first name
    follows_memory = handlers["alloc"] is not None
    rest = [("", model)]
    while rest:
        path, module = rest.pop()
        if module is None or id(module) in paths:
            continue
        paths[id(module)] = path
        own = module.__dict__  # faster than attributes, in a class with __getattr__
        parameters, children = own["_parameters"], own["_modules"]
        prefix = f"{path}." if path else ""
        for name, parameter in parameters.items():
            ident = 0 if parameter is None else tensor_id(parameter)
            if ident and ident not in seen:
                seen.add(ident)
                names[ident], homes[ident] = prefix + name, number
        if parameters and follows_memory:
            label_all(parameters.items(), "parameter")
        if own["_buffers"]:
            _name_buffers(own["_buffers"], prefix, number, seen)
            if follows_memory:
                label_all(own["_buffers"].items(), "buffer")
        if children:
            rest.extend(reversed([(prefix + n, m) for n, m in children.items()]))
    return paths


def name_of(ident: int) -> str:
    """The dotted name of the parameter or buffer with an id; "" without a name.

    Example:
        >>> name_of(-1)
        ''
    """
    return names.get(ident) or buffers.get(ident, (0, ""))[1]


def _name_buffers(
    own: dict[str, Any], prefix: str, number: int, seen: set[int]
) -> None:
    """Note the names of a module's buffers, and drop the oldest names of others."""
    for name, buffer in own.items():
        ident = 0 if buffer is None else tensor_id(buffer)
        if not ident or ident in seen:
            continue
        seen.add(ident)
        if len(buffers) >= MOST and ident not in buffers:
            for old in list(buffers)[: MOST // 2]:
                buffers.pop(old, None)
        buffers[ident] = number, prefix + name


def leave_module(module: Any) -> None:
    """`Module.__call__` reports its end, also by an exception."""
    state = thread_local.state
    if not state.calls:  # watching began inside this call
        return
    call, path, kind = state.call, state.path, type(module).__name__
    state.call, state.path = state.calls.pop()
    handler = handlers["mod"]
    if handler is not None:
        handler(
            ("mod", next_number(), clock(), 0, state.thread, events.step,
             "exit", call, state.call, path, kind, module.training, state.model)
        )  # fmt: skip
