"""ErrorCard: why did this operation fail?"""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from ..inspect import GraphRecorder, report_error
from .draw_error import draw_error
from .graph_view import GraphView
from .notebook import cells, current_shell
from .svg import Picture
from .text import error_text
from .view import View

__all__ = ["ErrorCard", "error_cards"]

_log = logging.getLogger(__name__)


class ErrorCard(View):
    """A failed operation: the shapes of its operands, mismatched sizes highlighted.

    In a notebook every error of an operation shows a card below its traceback, once
    `%load_ext edutorch` has run or a view is open. It keeps neither the exception nor a
    tensor.

    Args:
        error: an exception, with its traceback.

    Raises:
        TypeError: if `error` is not an exception.
        ValueError: if its cause is not a failed operation on tensors.

    Example:
        >>> import edutorch as torch
        >>> x, w = torch.ones(2, 3), torch.ones(4, 5)
        >>> try:
        ...     x @ w
        ... except RuntimeError as error:
        ...     print(ErrorCard(error).text().splitlines()[1])
          inner sizes must be equal: 3 and 4
    """

    kind: ClassVar[str] = "error"

    def __init__(self, error: BaseException) -> None:
        if not isinstance(error, BaseException):
            kind = type(error).__name__
            raise TypeError(f"ErrorCard(): expected an exception, got {kind}")
        report = report_error(error, _recorder())
        if report is None:
            raise ValueError(
                f"ErrorCard(): no operation on tensors failed in this "
                f"{type(error).__name__}"
            )
        self._init_recorded(report, "")

    def _fetch(self, current: bool) -> dict[str, Any]:
        return self.data

    def _revision(self) -> Any:
        return self.data["rev"]

    def _json_size(self) -> int:
        return 2000

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_error(self.data, note)

    def text(self) -> str:
        """The violated rule, the operands, the line and the hint."""
        return error_text(self.data)


def _recorder() -> GraphRecorder | None:
    """The recorder of the newest GraphView that is watching."""
    views = [reference() for reference in reversed(View._open_views)]
    open_ones = (v for v in views if isinstance(v, GraphView) and not v.frozen)
    newest = next(open_ones, None)
    return None if newest is None else newest._recorder


def error_cards(on: bool) -> None:
    """Turn on or off the card below the traceback of each failed operation.

    Args:
        on: whether to show cards. `%load_ext edutorch` turns them on, `%unload_ext`
            off.

    Example:
        >>> error_cards(False)
        >>> error_cards(True)
    """
    cells.show_error = _show if on else None
    if on:
        cells.attach()


def error_card_of(error: Exception) -> ErrorCard | None:
    """A card that explains why an operation failed; None for other errors.

    Args:
        error: with its traceback.
    """
    try:
        report = report_error(error, _recorder())
        return None if report is None else ErrorCard.recorded(report, status="")
    except Exception:  # noqa: BLE001 (a card must not add an error to the program's)
        _log.debug("no card for %s", type(error).__name__, exc_info=True)
        return None


def _show(error: BaseException) -> None:
    """Display a card."""
    shell, shown = current_shell(), error
    if hasattr(error, "_render_traceback_"):  # it displays itself
        if not getattr(error.__cause__, "__notes__", None):
            return  # no operation has failed
        shown = error.__cause__ or error
    if not isinstance(shown, Exception) or getattr(shell, "kernel", None) is None:
        return  # an interrupt, or a terminal, which shows the text
    card = error_card_of(shown)
    if card is not None:
        card._ipython_display_()


cells.show_error = _show  # importing any view turns cards on
