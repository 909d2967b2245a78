"""Finds the operation that made a wrong tensor, and the learner's line."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from edutorch import events
from edutorch.inspect.event_fields import OP_NAME, OP_OUTPUTS, OP_SRC
from edutorch.inspect.source_lines import called_at

__all__ = ["Provenance"]


class Provenance:
    """A context that records which op made each tensor.

    Example:
        >>> import edutorch as torch
        >>> with Provenance() as provenance:
        ...     y = torch.ones(2) * 3
        >>> provenance.of(y._tensor_id).split(",")[0]
        'mul'
    """

    def __init__(self) -> None:
        self._made: dict[int, tuple[str, int]] = {}  # tensor id -> op, source id

    def __enter__(self) -> Self:
        self._listener = events.listen("course.provenance", self._note, kinds=("op",))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.close()

    def _note(self, record: tuple[Any, ...]) -> None:
        for ident in record[OP_OUTPUTS]:
            self._made[ident] = (
                record[OP_NAME],
                record[OP_SRC],
            )

    def of(self, ident: int) -> str:
        """The op and its line as text; "" if no line of an answer made the tensor."""
        name, src = self._made.get(ident, ("", -1))
        place = called_at(src)
        if place is None:
            return name
        text = place["text"].lstrip()
        if not text or text.startswith("check("):
            return ""  # the check itself, applied to its arguments
        return f"{name}, {place['file']}:{place['line']}: {place['text']}"
