"""The names of models that run in one program: `Sequential`, `Sequential_2`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from .event_fields import MOD_CLS, MOD_MODEL, MOD_PARENT

__all__ = ["ModelNames", "number_models"]

MOST: Final = 10_000  # models, such as losses that are made in each step


def number_models(classes: Mapping[int, str]) -> dict[int, str]:
    """Names of models: the class, with a number from the second model of a class on.

    Args:
        classes: the class of each model, by the model's number in `module_events`.

    Example:
        >>> number_models({7: "Sequential", 9: "Linear", 12: "Sequential"})
        {7: 'Sequential', 9: 'Linear', 12: 'Sequential_2'}
    """
    found: dict[int, str] = {}
    counts: Counter[str] = Counter()
    for model, cls in classes.items():
        counts[cls] += 1
        found[model] = f"{cls}_{counts[cls]}" if counts[cls] > 1 else cls
    return found


class ModelNames:
    """The names of the models that are called, in the order in which they were first.

    A module without submodules and parameters, such as a loss, adds no name to the
    paths of others.

    Example:
        >>> names = ModelNames()
        >>> names.note(7, "Sequential", called_by=0)
        >>> names.path(7, "0"), names.path(7, "")
        ('0', 'Sequential')
    """

    def __init__(self) -> None:
        self._classes: dict[int, str] = {}
        self._with_parts: set[int] = set()  # submodules or parameters
        self._names: dict[int, str] = {}  # computed when they are asked for

    def hear(self, record: tuple[Any, ...]) -> None:
        """Note the model of a module's call."""
        self.note(record[MOD_MODEL], record[MOD_CLS], record[MOD_PARENT])

    def note(self, model: int, cls: str, called_by: int) -> None:
        """Note a call in a model: of the model itself, or by another call in it."""
        if called_by:
            self._with_parts.add(model)
        elif model not in self._classes:
            if len(self._classes) >= MOST:
                for old in list(self._classes)[: MOST // 2]:
                    del self._classes[old]
            self._classes[model] = cls
            self._names = {}

    def note_parameters(self, model: int) -> None:
        """Note that a model has parameters."""
        self._with_parts.add(model)

    @property
    def several(self) -> bool:
        """Whether there are several models, so that paths need their names."""
        return len(self._with_parts) > 1

    def path(self, model: int, path: str) -> str:
        """The path of a module or parameter, with its model's name if needed."""
        if not self._names:
            self._names = number_models(dict(sorted(self._classes.items())))
        name = self._names.get(model, "")
        if not path:
            return name
        return f"{name}.{path}" if name and self.several else path
