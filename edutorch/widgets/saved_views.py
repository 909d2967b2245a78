"""Views in files: `open("run.edu")` and `save("run.edu", view, ...)`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..inspect import read_views, write_views
from ..serialization.atomic import replacing
from .device_lanes import DeviceLanes
from .error_card import ErrorCard
from .gradient_view import GradientView
from .graph_view import GraphView
from .html_page import html_page
from .leak_finder import LeakFinder
from .memory_tree import MemoryTree
from .memory_view import MemoryView
from .nan_trail import NaNTrail
from .notebook import current_shell
from .run_monitor import RunMonitor
from .stepper import Stepper
from .tensor_card import TensorCard
from .timeline import Timeline
from .view import View

__all__ = ["SavedViews", "open", "save"]

KINDS: dict[str, type[View]] = {
    view.kind: view
    for view in (
        GraphView,
        GradientView,
        MemoryView,
        MemoryTree,
        TensorCard,
        NaNTrail,
        ErrorCard,
        RunMonitor,
        LeakFinder,
        Timeline,
        Stepper,
        DeviceLanes,
    )
}


class SavedViews:
    """The views in a file, which watch nothing.

    Attributes:
        name: of the file.
        views: in the order in which they were saved.
    """

    def __init__(self, name: str, views: list[View]) -> None:
        self.name = name
        self.views = views

    def __iter__(self) -> Iterator[View]:
        return iter(self.views)

    def __len__(self) -> int:
        return len(self.views)

    def __getitem__(self, index: int) -> View:
        return self.views[index]

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Export all views as one self-contained page of HTML."""
        page = html_page([view.page_state() for view in self.views], self.name)
        with replacing(path) as file:
            file.write(page.encode())
        return Path(path)

    def _ipython_display_(self) -> None:
        """Show all views, one below another."""
        if current_shell() is None:
            print(self)
            return
        for view in self.views:
            view._ipython_display_()

    def __repr__(self) -> str:
        titles = "".join(f"\n  {view!r}" for view in self.views)
        return f"<SavedViews {self.name}: {len(self.views)} views>{titles}"


def open(path: str | os.PathLike[str]) -> SavedViews:
    """Open a file of views; nothing in the file is executed.

    Args:
        path: written by `save`, `View.export` or `edutorch.inspect.Recording.save`.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is damaged or forged.

    Example:
        >>> import edutorch as torch, tempfile, os
        >>> with torch.inspect.record() as recording:
        ...     y = torch.ones(2, requires_grad=True) * 3
        >>> file = recording.save(os.path.join(tempfile.mkdtemp(), "run.edu"))
        >>> [view.kind for view in open(file)]
        ['graph', 'memory', 'timeline']
    """
    entries = read_views(path)
    views = [KINDS[e["kind"]].recorded(e["data"]) for e in entries]
    return SavedViews(Path(path).name, views)


def save(path: str | os.PathLike[str], *views: View) -> Path:
    """Save views to one file, which `open` reads.

    Args:
        path: usually ends in .edu.
        views: live or frozen; their current state is saved.
    """
    for view in views:
        view.refresh()
    return write_views(path, [view.file_entry() for view in views])
