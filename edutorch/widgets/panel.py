"""Shows views next to the notebook, beside the training cell."""

from __future__ import annotations

from .view import View

__all__ = ["panel"]


def panel(*views: View) -> None:
    """Show views next to the notebook, one below another.

    In JupyterLab and Notebook 7, the notebook becomes narrower, and the views stay to
    its right while it scrolls. The output of each view keeps a line with a button that
    brings the view back; the views close when this cell runs again or its output is
    cleared. Elsewhere, the views are shown below the cell.

    Args:
        views: any views of this package.

    Raises:
        TypeError: for anything other than a view.

    Example:
        >>> from edutorch.widgets import MemoryView
        >>> with MemoryView("cpu") as view:
        ...     panel(view)    # doctest: +ELLIPSIS
        Memory...
    """
    for view in views:
        if not isinstance(view, View):
            raise TypeError(f"panel(): expected views, got {type(view).__name__}")
    for view in views:
        view.dock()._ipython_display_()
