"""View: the base class of all views."""

from __future__ import annotations

import base64
import json
import os
import threading
import uuid
import weakref
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Self

import traitlets

from ..callers import caller_frame
from ..extras import install_command
from ..inspect import Recorder, pack_views
from ..inspect.recorder import NullRecorder
from ..serialization.atomic import replacing
from .bundle import BundledWidget
from .html_page import html_page
from .notebook import cells, current_shell
from .png import render
from .refresher import refresher
from .svg import Picture
from .view_throttle import ViewThrottle

__all__ = ["View"]

MOST = 8  # open views of one kind
LONG = 3.0  # seconds; after a longer cell the output is written at once
STILL = "edutorch-still"  # marks what a page hides; see `shell_sheet.ts`
NO_PNG = object()  # the revision of an output without a PNG


class View(BundledWidget):
    """A view of recorded data: live in a notebook, a still picture elsewhere.

    A view watches from its creation until `freeze()` or `close()`. Running its cell
    again replaces it.

    Attributes:
        data: the data that is shown, JSON-ready.
        frozen: whether it has stopped watching.
        status: a remark on that.
        token: identifies the view in the page when its output is written again.
        compacted: shown as a low strip; see `compact()`.
        docked: shown next to the notebook; see `dock()`.
    """

    view = traitlets.Unicode("").tag(sync=True)
    data = traitlets.Dict().tag(sync=True)
    frozen = traitlets.Bool(False).tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)
    token = traitlets.Unicode("").tag(sync=True)
    compacted = traitlets.Bool(False).tag(sync=True)
    docked = traitlets.Bool(False).tag(sync=True)

    kind: ClassVar[str] = ""
    _open_views: ClassVar[list[weakref.ref[View]]] = []

    def __init__(self, recorder: Recorder) -> None:
        self._prepare(recorder)
        self._place = _place_of_call()
        data = self._fetch(current=True)
        super().__init__(view=self.kind, data=data, token=uuid.uuid4().hex)
        self._replace_older()
        recorder.open()
        self._throttle.skip_steps(True)
        cells.listen(self)
        refresher.add(self)

    @classmethod
    def recorded(cls, data: dict[str, Any], status: str = "recorded") -> Self:
        """Show data recorded earlier; the view watches nothing.

        Args:
            data: what `View.data` was.
            status: a remark on that.
        """
        view = cls.__new__(cls)
        view._init_recorded(data, status)
        return view

    def _init_recorded(self, data: dict[str, Any], status: str) -> None:
        """Initialize a view that watches nothing."""
        self._prepare(NullRecorder())
        traits = {"data": data, "status": status, "frozen": True}
        super().__init__(view=self.kind, token=uuid.uuid4().hex, **traits)

    def _prepare(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._throttle = ViewThrottle(recorder)
        self._writing = threading.RLock()  # held while an output is written
        self._lock = threading.RLock()  # taken inside `_writing`, never around it
        self._display_id = ""
        self._displayed: Any = None  # the revision that the saved output shows
        self._held: tuple[Any] | None = None  # the revision, while data must not change

    # ---- implemented by each view

    def _fetch(self, current: bool) -> dict[str, Any]:
        """The data of the computation in progress or, if not `current`, of the last."""
        raise NotImplementedError

    def _revision(self) -> Any:
        """A value that changes when there is new data to fetch."""
        raise NotImplementedError

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        raise NotImplementedError

    def text(self) -> str:
        """The contents as text."""
        raise NotImplementedError

    # ---- updates

    def tick(self) -> int:
        """Send new data and return the bytes sent; called by the refresher."""
        try:
            if self._recorder.error is not None:
                self._stop("")
            return self._update()
        except Exception as error:  # noqa: BLE001 (a view must never hurt the training)
            self._stop(_stopped(error))
            return 0

    def _update(self) -> int:
        with self._lock:
            if self.frozen:
                return 0
            revision = self._revision(), self._throttle.note()
            if revision == self.__dict__.get("_sent"):
                return 0
            self._sent = revision
            self._set_data(self._fetch(current=False))
            return self._json_size()

    def _set_data(self, data: dict[str, Any]) -> None:
        """Show data, with a note if not all training steps were watched."""
        words = data.get("pace") or self._throttle.note()
        self.data = data | {"pace": words} if words else data

    def every_step(self, on: bool = True) -> Self:
        """Watch every training step, even if that slows down short steps.

        Args:
            on: False to watch only as many steps as are cheap.
        """
        if not self.frozen:
            self._throttle.skip_steps(not on)
        return self

    def _json_size(self) -> int:
        """The approximate size of `data` as JSON, in bytes."""
        raise NotImplementedError

    def refresh(self) -> dict[str, Any]:
        """Show the newest data now, and return them."""
        with self._lock:
            if not (self.frozen or self._held):
                self._throttle.flush()
                self._set_data(self._fetch(current=True))
            return self.data

    @contextmanager
    def _holding(self) -> Iterator[None]:
        """A block during which the view keeps showing the data that are newest now."""
        with self._lock:
            before = self._held
            if before is None and not self.frozen:
                self._throttle.flush()
                revision = self._revision()  # first: later data may be missing
                self.refresh()
                self._held = (revision,)
            try:
                yield
            finally:
                self._held = before

    def freeze(self, status: str = "") -> None:
        """Stop watching and keep showing the recorded data."""
        if self.frozen:
            return
        with self._lock:  # otherwise the refresher could show an older graph in between
            self._throttle.over = True
            try:
                self.refresh()
            except Exception as error:  # noqa: BLE001 (it must not hide the cell's own)
                status = _stopped(error)
            self._stop(status)
        self._write_final_output()

    def _stop(self, status: str) -> None:
        refresher.remove(self)
        error = self._recorder.take_error()
        status = status if error is None else _stopped(error)
        self._throttle.end()
        self._recorder.close()
        with self._lock:
            if not self.frozen:
                self.status = status or self._frozen_status()
                self.frozen = True

    def _frozen_status(self) -> str:
        return "recorded"

    def close(self) -> None:
        """Stop watching and remove the widget."""
        if "_lock" not in self.__dict__:
            return  # construction failed, and the view is being discarded
        self.freeze()
        super().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _replace_older(self) -> None:
        """Freeze the view created by an earlier run of the same line."""
        alive = [view for ref in View._open_views if (view := ref()) is not None]
        alive = [view for view in alive if not view.frozen]
        same = [view for view in alive if view.kind == self.kind]
        for i, view in enumerate(same):
            again = view._place != self._place and view._place[:2] == self._place[:2]
            if again or len(same) - i >= MOST:
                view.freeze("replaced by a newer view")
        kept = [view for view in alive if not view.frozen]
        View._open_views[:] = [weakref.ref(view) for view in [*kept, self]]

    # ---- in a notebook

    def compact(self, on: bool = True) -> Self:
        """Show the view as a strip of 184 pixels with the most important data.

        Several strips and a training cell share one screen. A button does the same.

        Args:
            on: False for the whole view.

        Example:
            >>> from edutorch.widgets import MemoryView
            >>> with MemoryView("cpu").compact() as view:
            ...     view.compacted
            True
        """
        self.compacted = on
        return self

    def dock(self, on: bool = True) -> Self:
        """Show the view next to the notebook in JupyterLab; no effect elsewhere.

        A button does the same; `edutorch.widgets.panel` does it for several views.

        Args:
            on: False to show it in its output again.
        """
        self.docked = on
        return self

    def cell_began(self) -> None:
        """Handle the start of a cell."""

    def cell_ended(self) -> None:
        """Update the saved output after a cell has run.

        In a notebook with a reader, a short cell does not wait for this, which may take
        longer: it follows when the kernel is idle. After a long cell, SVG and text are
        written at once, so that a notebook saved now shows the end; the PNG follows.
        """
        if not cells.has_reader:
            self._update_output()
        elif cells.elapsed >= LONG:
            self._update_output(quick=True)

    def kernel_idle(self) -> None:
        """Update the saved output after a period without running cells."""
        self._update_output()

    def _update_output(self, quick: bool = False) -> None:
        with self._writing:
            if self.frozen and self._displayed is NO_PNG and not quick:
                self._publish(update=True)
            if self.frozen or self._displayed is None:
                return
            with self._holding():
                if self._held is not None and self._displayed != self._held[0]:
                    self._publish(update=True, quick=quick)

    def _write_final_output(self) -> None:
        """Write the output a last time, so that a saved notebook shows the end."""
        shown = self._displayed is not None and current_shell() is not None
        if threading.current_thread() is not threading.main_thread() or not shown:
            return
        with self._writing:
            if self._displayed != self._revision():
                self._publish(update=True, quick=cells.has_reader)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live view, with SVG, PNG and text for other readers."""
        with self._lock:  # all from the same moment
            live, (still, meta) = self._live_output(), self._still_output(self.png)
        return {**live, **still}, meta

    def _live_output(self) -> dict[str, Any]:
        bundle: Any = super()._repr_mimebundle_() or {}
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**data, "text/plain": f"{type(self).__name__}: see below"}

    def _still_output(self, draw_png: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        with self._holding():  # the picture, the text and the PNG show the same
            picture, text, png = self._still(), self.text(), draw_png()
        alt = picture.title = text.partition("\n")[0]
        picture.footnote("Static picture. Run the cell for the live view.")
        svg = picture.svg().replace("<svg", f'<svg class="{STILL}"', 1)
        still = {"image/svg+xml": svg, "text/plain": text}
        if png is not None:
            still["image/png"] = base64.b64encode(png).decode("ascii")
        png_meta = {"width": picture.width, "alt": alt}  # high resolution
        return still, {"image/png": png_meta, "image/svg+xml": {"alt": alt}}

    def _ipython_display_(self) -> None:
        """Show the view; an output shown earlier keeps its current state.

        There are two outputs: the live view, and below it the still picture, which a
        page hides where it draws the live one (`shell_sheet.ts`). A reader without
        widgets or their saved state leaves the first empty and shows the second.
        """
        with self._writing:
            self._display_id = uuid.uuid4().hex
            shell = current_shell()
            if shell is not None and cells.hides_stills:
                transient = {"display_id": uuid.uuid4().hex}  # not updated again
                live = self._live_output()
                shell.display_pub.publish(live, {}, transient=transient, update=False)
            self._publish(update=False, quick=shell is not None and cells.has_reader)

    def _publish(self, update: bool, quick: bool = False) -> None:
        """Write the still output, with an id under which it can be updated.

        Args:
            update: replace the existing output.
            quick: leave out the PNG; the next update adds it.
        """
        revision = None if self.frozen else (self._held or (self._revision(),))[0]
        self._displayed = NO_PNG if quick else revision
        data, meta = self._still_output((lambda: None) if quick else self.png)
        shell = current_shell()
        if shell is None:
            print(data["text/plain"])
            return
        if not cells.hides_stills:
            data = {**self._live_output(), **data}
        shell.display_pub.publish(
            data, meta, transient={"display_id": self._display_id}, update=update
        )

    # ---- still pictures and files

    def svg(self) -> str:
        """The still picture as SVG: plain attributes, no style, no script."""
        return self._still().svg()

    def png(self) -> bytes | None:
        """The still picture as PNG; None if Matplotlib is not installed."""
        return render(self._still())

    def _still(self) -> Picture:
        with self._lock:  # the refresher may put an older graph in place of the newest
            self.refresh()
            notes = self.status if self.frozen else "", self.data.get("pace", "")
            return self.picture(" · ".join(filter(None, notes)))

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the view to a file; the suffix determines the format.

        Args:
            path: ending in .html for a page that needs nothing else, in .edu for a
                file that `edutorch.widgets.open` reads, in .svg, .png, .json or .txt;
                a graph also in .dot, a timeline also in .trace.json.

        Raises:
            ValueError: for another suffix, or where a PNG cannot be drawn.
        """
        writers = self._writers()
        suffix = _known_suffix(Path(path), writers)
        with self._lock:
            self.refresh()
            content = writers[suffix]()
        if content is None:
            raise ValueError(f"a PNG needs Matplotlib: {install_command('matplotlib')}")
        with replacing(path) as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return Path(path)

    def _writers(self) -> dict[str, Any]:
        """The functions that make a file's content, by suffix (such as .trace.json)."""
        state = self.page_state
        return {
            ".svg": self.svg,
            ".png": self.png,
            ".json": lambda: json.dumps(self.data, indent=1),
            ".txt": self.text,
            ".html": lambda: html_page([state()], self._title(), self.program),
            ".edu": lambda: pack_views([self.file_entry()]),
        }

    def _title(self) -> str:
        return self.text().partition("\n")[0]

    def file_entry(self) -> dict[str, Any]:
        """The view as it is stored in a file; see `edutorch.inspect.write_views`."""
        return {"kind": self.kind, "title": self._title(), "data": dict(self.data)}

    def page_state(self) -> dict[str, Any]:
        """The data from which a page without a kernel draws the view."""
        state = {**self.own_state(), "frozen": True, "token": ""}
        del state["compacted"], state["docked"]  # the page shows it at full size
        return state

    def __repr__(self) -> str:
        with suppress(Exception):  # on an error, describe the data shown last
            self.refresh()
        return f"<{type(self).__name__}: {self._title()}>"


def _stopped(error: Exception) -> str:
    return f"stopped: {type(error).__name__}: {error}"


def _known_suffix(path: Path, known: Collection[str]) -> str:
    """The longest of the `known` suffixes that a file name ends with."""
    name = path.name.lower()
    if fitting := [one for one in known if name.endswith(one) and name != one]:
        return max(fitting, key=len)
    wanted = path.suffix.lower() or "no suffix"
    raise ValueError(f"export() knows {', '.join(sorted(known))}; got {wanted!r}")


def _place_of_call() -> tuple[str, int, int]:
    """The line outside the library that creates a view, and the number of its cell."""
    frame = caller_frame()
    return frame.f_code.co_filename, frame.f_lineno, cells.count()
