"""Selects the ops of one model: those it runs, and those that use its results."""

from __future__ import annotations

import weakref
from typing import Any

from .. import events, module_events
from .event_fields import MOD_MODEL, MOD_PATH, OP_CALL, OP_INPUTS, OP_OUTPUTS

__all__ = ["ModelFilter"]

Record = tuple[Any, ...]


class ModelFilter:
    """Selects the ops of one model.

    These are the ops that run within a call of it or of one of its modules, those that
    read one of its parameters, and those that use the results of such ops. Results of
    earlier ops (of another model, or of the preparation of a batch) appear as inputs.

    Args:
        model: the module; it may be a part of a larger one. It is not kept alive.

    Example:
        >>> from edutorch import nn
        >>> ModelFilter(nn.Linear(2, 1)).name
        'Linear'
    """

    def __init__(self, model: Any) -> None:
        self.name = type(model).__name__
        self._model = weakref.ref(model)
        self._parameters = {events.tensor_id(p) for p in model.parameters()}
        self._calls: dict[tuple[int, str], bool] = {}  # by model and path

    def select(self, ops: list[Record], calls: dict[int, Record]) -> list[Record]:
        """The ops of the model, in order.

        Args:
            ops: op records.
            calls: "mod" records by module call.
        """
        reached = self._own_parameters()
        found = []
        for record in ops:
            if self._touches(record, calls, reached):
                reached.update(record[OP_OUTPUTS])
                found.append(record)
        return found

    def takes_part(self, ops: list[Record], calls: dict[int, Record]) -> bool:
        """Whether `select` would return any ops.

        Args:
            ops: op records.
            calls: "mod" records by module call.
        """
        parameters = self._own_parameters()
        return any(self._touches(record, calls, parameters) for record in ops)

    def _own_parameters(self) -> set[int]:
        """The ids of the model's parameters, which may have changed in the meantime."""
        model = self._model()
        if model is not None:
            self._parameters = {events.tensor_id(p) for p in model.parameters()}
        return set(self._parameters)

    def _touches(
        self, record: Record, calls: dict[int, Record], reached: set[int]
    ) -> bool:
        inside = self._own_call(calls.get(record[OP_CALL]))
        return inside or not reached.isdisjoint(record[OP_INPUTS])

    def _own_call(self, record: Record | None) -> bool:
        """Whether a module call is that of the model or of a module inside it."""
        if record is None:
            return False
        key = record[MOD_MODEL], record[MOD_PATH]
        if key not in self._calls:
            self._calls[key] = self._holds(*key)
        return self._calls[key]

    def _holds(self, number: int, path: str) -> bool:
        model = self._model()
        known = list(module_events.models.items())
        root = next((module for module, n in known if n == number), None)
        if model is None or root is None:
            return False
        called = dict(root.named_modules()).get(path)
        return any(module is called for module in model.modules())
