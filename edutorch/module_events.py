"""Records of module calls: `mod`, which `Module.__call__` makes."""

from __future__ import annotations

import weakref
from typing import Any

from .events import clock, emit, names, next_id, place, tid
from .memory_events import recategorise

__all__ = ["enter_module", "leave_module", "models"]

# a number for each module called from outside any, kept as long as the module
models: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def enter_module(module: Any) -> None:
    """`Module.__call__` reports its start; the outermost call names the modules."""
    here = place.here
    if not here.calls:
        here.paths = {id(m): path for path, m in module.named_modules()}
        here.model = models.get(module) or models.setdefault(module, next_id())
        for name, parameter in module.named_parameters():
            names[tid(parameter)] = name
            recategorise(parameter, "parameter")
    parent, call = here.call, next_id()
    here.calls.append((parent, here.path))
    kind = type(module).__name__
    path = here.paths.get(id(module), kind)
    here.call, here.path = call, path
    emit(
        "mod", clock(), 0, "enter", call, parent, path, kind, module.training,
        here.model,
    )  # fmt: skip


def leave_module(module: Any) -> None:
    """`Module.__call__` reports its end, also by an exception."""
    here = place.here
    if not here.calls:  # watching began inside this call
        return
    call, path, kind = here.call, here.path, type(module).__name__
    here.call, here.path = here.calls.pop()
    emit(
        "mod", clock(), 0, "exit", call, here.call, path, kind, module.training,
        here.model,
    )  # fmt: skip
