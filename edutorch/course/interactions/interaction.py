"""The base class of interactions."""

from __future__ import annotations

from typing import Any, ClassVar

from ...widgets.view import View

__all__ = ["Interaction"]


class Interaction(View):
    """A part of a chapter that runs entirely in the page, even without a kernel.

    A subclass gives `kind`, by which the page finds what draws it
    (`widgets/src/course/index.ts`), all that the page needs as `data`, and for readers
    without a page `picture()` and `text()`.

    Args:
        data: JSON-ready.
    """

    program: ClassVar[str] = "course"

    def __init__(self, data: dict[str, Any]) -> None:
        self._init_recorded(data, "")
