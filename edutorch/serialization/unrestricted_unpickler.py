"""Reads a trusted pickle with Python's unpickler, which may run any code."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Any

from ..ops.convert.copy_pickle import as_class
from ..ops.return_types import RETURN_TYPES, rebuilt
from . import rebuild
from .default_globals import NAMES
from .torch_names import find_by_torch_name

__all__ = ["load_unrestricted"]


def load_unrestricted(
    program: bytes, find: Callable[[Any], Any], module: Any, options: dict[str, Any]
) -> Any:
    """Load the object of a pickle, of any class.

    Args:
        program: the pickle.
        find: finds the storage that the pickle refers to.
        module: with its own `Unpickler`, such as `pickle` or `dill`.
        options: further arguments of the unpickler.
    """

    class UnrestrictedUnpickler(module.Unpickler):  # type: ignore[misc]  # of any module
        """An unpickler that maps PyTorch's names to edutorch's objects."""

        def persistent_load(self, pid: Any) -> Any:
            if isinstance(pid, tuple) and pid[:1] == ("module",):
                return pid[1]  # a class, which old files have with its source
            return find(pid)

        def find_class(self, module: str, name: str) -> Any:
            if module.partition(".")[0] != "torch":
                return super().find_class(module, name)
            return _resolve(module, name)

    return UnrestrictedUnpickler(io.BytesIO(program), **options).load()


def _resolve(module: str, name: str) -> Any:
    """The object for one of PyTorch's names."""
    if module == "torch.return_types" and name in RETURN_TYPES:
        return partial(rebuilt, name)
    if (module, name) in _EXTRA_NAMES:
        return _EXTRA_NAMES[module, name]
    found = NAMES.get((module, name))
    return find_by_torch_name(module, name) if found is None else found


def _from_type(function: Any, kind: Any, args: Any, state: Any) -> Any:
    """A tensor of a subclass that need not be on a list."""
    made = as_class(function(*args), kind)
    restore = getattr(made, "__setstate__", None)
    if restore is not None:
        restore(state)
    else:
        rebuild.set_attributes(made, state)
    return made


_EXTRA_NAMES = {("torch._tensor", "_rebuild_from_type_v2"): _from_type}
