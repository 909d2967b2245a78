"""Records of module calls: `mod`, created by `Module.__call__`."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final

from . import events
from .events import clock, handlers, homes, names, next_id, next_number, place, tid
from .memory_events import label_all

__all__ = ["classes", "enter_module", "leave_module", "models"]

# a number for each module called from outside any, kept as long as the module
models: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
classes: dict[int, str] = {}  # the classes of those models, also when they are gone
MOST: Final = 10_000  # of these


def enter_module(module: Any) -> None:
    """`Module.__call__` reports its start; the outermost call names the modules."""
    here = place.here
    if not here.calls:
        named = _named.get(module)
        if named is None or not named.is_current():
            named = _named[module] = _name_all(module)
        elif handlers["alloc"] is not None:
            named.label_memory()
        here.model, here.paths = named.model, named.paths
    parent, call = here.call, next_id()
    here.calls.append((parent, here.path))
    kind = type(module).__name__
    path = here.paths.get(id(module), kind)
    here.call, here.path = call, path
    handler = handlers["mod"]
    if handler is not None:
        handler(
            ("mod", next_number(), clock(), 0, here.thread, events.step,
             "enter", call, parent, path, kind, module.training, here.model)
        )  # fmt: skip


def _number(model: Any) -> int:
    """Give a model the next number."""
    number = models[model] = next_id()
    if len(classes) >= MOST:
        for old in list(classes)[: MOST // 2]:
            classes.pop(old, None)
    classes[number] = type(model).__name__
    return number


class _Names:
    """The names of a model's modules and parameters, and whether they are still true.

    The model is compared with them at each call from outside: that takes a quarter of
    the time of naming all again, 40 us of a LeNet's step. They keep nothing alive.

    Attributes:
        model: its number.
        paths: the path of each module, by its id.
        parts: each module, and the names and ids of its children and parameters.
        names: the name of each parameter, by its id.
    """

    __slots__ = ("model", "paths", "parts", "names")

    def __init__(self, model: int) -> None:
        self.model = model
        self.paths: dict[int, str] = {}
        self.parts: list[tuple[Any, list[Any], list[Any]]] = []
        self.names: dict[int, str] = {}

    def is_current(self) -> bool:
        """Whether the model still consists of the same, and nobody has renamed it."""
        for module, children, parameters in self.parts:
            found = module()
            if found is None:
                return False
            own = found.__dict__
            if (
                _members(own["_modules"], id) != children
                or _members(own["_parameters"], tid_or_0) != parameters
            ):
                return False
        of_all, model = [*map(homes.get, self.names)], self.model
        return of_all == [model] * len(of_all) and (
            [*map(names.get, self.names)] == [*self.names.values()]
        )

    def label_memory(self) -> None:
        """Announce that the memory of the parameters is theirs, where that is new."""
        for module, _, parameters in self.parts:
            if parameters:
                label_all(module().__dict__["_parameters"].items(), "parameter")


def tid_or_0(parameter: Any) -> int:
    """The id of a parameter; 0 for None."""
    return 0 if parameter is None else parameter._tid or tid(parameter)


def _members(table: dict[str, Any], identify: Callable[[Any], int]) -> list[Any]:
    """The names of a module's children or parameters, followed by their ids."""
    return [*table, *map(identify, table.values())] if table else _EMPTY


_EMPTY: list[Any] = []
_named: weakref.WeakKeyDictionary[Any, _Names] = weakref.WeakKeyDictionary()


def _name_all(model: Any) -> _Names:
    """The dotted path of each module of a model; parameters learn theirs.

    As `named_modules` and `named_parameters`, in one walk.
    """
    number = models.get(model) or _number(model)
    made = _Names(number)
    paths, seen = made.paths, made.names  # a parameter of several has its first name
    follows_memory = handlers["alloc"] is not None
    rest = [("", model)]
    while rest:
        path, module = rest.pop()
        if module is None or id(module) in paths:
            continue
        paths[id(module)] = path
        own = module.__dict__  # faster than attributes, in a class with __getattr__
        parameters, children = own["_parameters"], own["_modules"]
        made.parts.append(
            (
                weakref.ref(module),
                _members(children, id),
                _members(parameters, tid_or_0),
            )
        )
        prefix = f"{path}." if path else ""
        for name, parameter in parameters.items():
            ident = tid_or_0(parameter)
            if ident and ident not in seen:
                seen[ident] = names[ident] = prefix + name
                homes[ident] = number
        if parameters and follows_memory:
            label_all(parameters.items(), "parameter")
        if children:
            rest.extend(reversed([(prefix + n, m) for n, m in children.items()]))
    return made


def leave_module(module: Any) -> None:
    """`Module.__call__` reports its end, also by an exception."""
    here = place.here
    if not here.calls:  # watching began inside this call
        return
    call, path, kind = here.call, here.path, type(module).__name__
    here.call, here.path = here.calls.pop()
    handler = handlers["mod"]
    if handler is not None:
        handler(
            ("mod", next_number(), clock(), 0, here.thread, events.step,
             "exit", call, here.call, path, kind, module.training, here.model)
        )  # fmt: skip
