"""Keeps the original functions and classes, so that checks use them unchanged."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from types import FunctionType, ModuleType
from typing import Any, Final

__all__ = ["Originals"]

PACKAGES: Final = ("builtins", "edutorch", "inspect", "math", "numpy", "threading")
OWN: Final = "edutorch.course"  # modules whose constants are restored, too
CODE: Final = ("__code__", "__defaults__", "__kwdefaults__")


class Originals:
    """Functions, classes and modules as they were when this object was created.

    Example:
        >>> originals = Originals(("math",))
        >>> import math
        >>> math.sqrt = abs
        >>> originals.restore()
        >>> math.sqrt(4)
        2.0
    """

    def __init__(self, packages: tuple[str, ...] = PACKAGES) -> None:
        self._modules = {
            name: module
            for name, module in sys.modules.items()
            if isinstance(module, ModuleType) and name.split(".")[0] in packages
        }
        self._names = [
            (module.__dict__, _kept(name, module.__dict__))
            for name, module in self._modules.items()
        ]
        defined = {
            id(value): value
            for _, names in self._names
            for value in names.values()
            if getattr(value, "__module__", "") in self._modules
        }
        self._classes = [
            (value, dict(vars(value)))
            for value in defined.values()
            if isinstance(value, type) and _can_change(value)
        ]
        functions = [v for v in defined.values() if isinstance(v, FunctionType)]
        for _, names in self._classes:
            functions += [v for v in names.values() if isinstance(v, FunctionType)]
        self._functions = [(f, [getattr(f, name) for name in CODE]) for f in functions]
        self._contents = [
            (names, dict(names))
            for module in self._modules.values()
            if module.__name__.startswith(OWN)
            for value in vars(module).values()
            for names in _dictionaries(value)
        ]
        self._set, self._delete = type.__setattr__, type.__delattr__

    def restore(self) -> None:
        """Restore what has been replaced since."""
        for f, parts in self._functions:
            for name, part in zip(CODE, parts, strict=True):
                if getattr(f, name) is not part:
                    setattr(f, name, part)
        sys.modules.update(self._modules)
        for now, names in self._names:
            _put_back(now, names, now.__setitem__)
        for value, names in self._classes:
            self._put_back_class(value, names)
        for now, names in self._contents:
            _put_back(now, names, now.__setitem__)

    def _put_back_class(self, value: type, names: Mapping[str, Any]) -> None:
        def put(name: str, old: Any) -> None:
            self._set(value, name, old)

        now = vars(value)
        _put_back(now, names, put)
        for name in now.keys() - names.keys():
            if not name.startswith("__") or callable(now[name]):
                self._delete(value, name)


def _kept(module: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """The names to restore: all callables, and the course's constants."""
    if module.startswith(OWN) or module == "builtins":
        return dict(names)
    return {
        name: value
        for name, value in names.items()
        if callable(value) or isinstance(value, ModuleType)
    }


def _dictionaries(value: Any) -> Iterator[dict[str, Any]]:
    """What can be changed in a constant: a dictionary, and the fields of objects."""
    if isinstance(value, dict):
        yield value
        parts = list(value.values())
    else:
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
    yield from (vars(part) for part in parts if is_dataclass(type(part)))


def _put_back(
    now: Mapping[str, Any], names: Mapping[str, Any], put: Callable[[str, Any], None]
) -> None:
    missing = object()
    for name, old in names.items():
        if now.get(name, missing) is not old:
            put(name, old)


def _can_change(value: type) -> bool:
    """Whether attributes of a class can be set: not if it is defined in C."""
    return bool(value.__flags__ & 1 << 9) and value not in vars(builtins).values()
