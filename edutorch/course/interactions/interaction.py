"""The base class of interactions."""

from __future__ import annotations

from typing import Any, ClassVar

from ...widgets.view import View

__all__ = ["Interaction"]


class Interaction(View):
    """A part of a chapter that runs entirely in the page, even without a kernel.

    A subclass defines `kind`, by which the page finds the code that draws it
    (`widgets/src/course/index.ts`); `data`, which contains all that the page needs;
    and, for readers without a page, `picture()` and `text()`.

    Args:
        data: JSON-ready data for the page.
    """

    program: ClassVar[str] = "course"

    def __init__(self, data: dict[str, Any]) -> None:
        self._init_recorded(data, "")
