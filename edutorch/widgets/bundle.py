"""The JavaScript bundle that draws the views, stored once per notebook.

anywidget stores a widget's program (`_esm`) with each widget, in the page and in saved
notebooks. So a view's `_esm` is only a loader (`widgets/src/loader.ts`), which finds
the bundle in a widget that all views refer to.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import ipywidgets
import traitlets
from ipywidgets import widget_serialization

__all__ = ["Bundle", "BundledWidget", "bundle", "source"]

STATIC = Path(__file__).parent / "static"


@cache
def source(name: str = "widgets") -> str:
    """The source text of the bundle, or of another program for pages."""
    return (STATIC / f"{name}.js").read_text(encoding="utf-8")


class Bundle(ipywidgets.Widget):  # type: ignore[misc]  # it has no types
    """A widget that stores a bundle and is never displayed.

    Attributes:
        packed: its text, compressed to a third by gzip, as base64.
    """

    packed = traitlets.Unicode("").tag(sync=True)


_lock = threading.Lock()
_kept: dict[str, Bundle] = {}


def bundle(program: str = "widgets") -> Bundle:
    """The only widget with a given bundle: that of the views or another program.

    Its id is a hash of its contents, so that a restarted kernel replaces the widget in
    the notebook and does not add a second one.
    """
    with _lock:
        kept = _kept.get(program)
        if kept is None or kept.comm is None:  # none, or closed by `close_all`
            text = source(program).encode()
            packed = base64.b64encode(gzip.compress(text, mtime=0)).decode("ascii")
            digest = hashlib.sha256(text).hexdigest()[:32]
            kept = _kept[program] = Bundle(packed=packed, model_id=digest)
        return kept


class BundledWidget(anywidget.AnyWidget):  # type: ignore[misc]  # it has no types
    """Base class of the widgets that a bundle draws.

    Attributes:
        program: which bundle.
    """

    program: ClassVar[str] = "widgets"
    # Text, not a path: for a path, anywidget never releases a widget.
    _esm = (STATIC / "loader.js").read_text(encoding="utf-8")
    bundle = traitlets.Instance(Bundle).tag(sync=True, **widget_serialization)

    @traitlets.default("bundle")
    def _find_bundle(self) -> Any:
        return bundle(self.program)

    def send_state(self, key: Any = None) -> None:
        """Send traits to the page; `data` as it is, since it contains no buffers.

        A search for buffers in it would take as long as making it.
        """
        if key == "data" and not self._property_lock:
            state = self.get_state(key=key)
            self._send({"method": "update", "state": state, "buffer_paths": []})
        else:
            super().send_state(key)

    def own_state(self) -> dict[str, Any]:
        """The traits that this class adds to those of all widgets."""
        names = set(self.trait_names(sync=True))
        common = set(BundledWidget.class_trait_names(sync=True))
        return dict(self.get_state(names - common - {"_esm"}))
