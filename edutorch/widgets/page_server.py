"""Shows views on a local page, for programs that run outside a notebook.

The server listens only on the loopback interface, and rejects requests without the
token that is part of the page's URL. Widgets communicate with the page as with a
notebook: through a comm, implemented by an event stream (server to page) and POST
requests (page to server).
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from .bundle import BundledWidget
from .html_page import html_page
from .page_requests import RequestServer

__all__ = ["PageServer"]

INTERVAL = 0.1  # seconds between two messages to a page
BYTES_PER_SECOND = 5_000_000
ALIVE = 5.0  # seconds without data after which a stream sends a sign of life
MESSAGES = 1_000  # custom messages that wait for a slow page


class _Comm:
    """Replaces a widget's connection to a notebook."""

    kernel = True  # without one ipywidgets sends nothing

    def __init__(
        self, comm_id: str, deliver: Callable[[str, dict[str, Any]], None]
    ) -> None:
        self.comm_id = comm_id
        self._deliver = deliver
        self._handler: Callable[[dict[str, Any]], None] | None = None

    def on_msg(self, handler: Callable[[dict[str, Any]], None]) -> None:
        """Register the function that receives messages of the page."""
        self._handler = handler

    def send(self, data: dict[str, Any], **others: Any) -> None:
        """Send a message of the widget to the page."""
        self._deliver(self.comm_id, data)

    def receive(self, data: dict[str, Any]) -> None:
        """Pass a message of the page to the widget."""
        if self._handler is not None:
            self._handler({"content": {"data": data}, "buffers": []})

    def close(self, *_: Any, **__: Any) -> None:
        """Do nothing: the page keeps showing the last state."""


class _Pending:
    """Updates that a page has not received yet; only the newest of each trait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._states: dict[str, dict[str, Any]] = {}
        self._messages: list[tuple[str, Any]] = []

    def add(self, ident: str, data: dict[str, Any]) -> None:
        with self._changed:
            if data.get("method") == "custom":
                self._messages.append((ident, data.get("content")))
                del self._messages[:-MESSAGES]
            else:
                self._states.setdefault(ident, {}).update(data.get("state") or {})
            self._changed.notify()

    @property
    def empty(self) -> bool:
        """Whether all updates have been sent."""
        return not (self._states or self._messages)

    def wake(self) -> None:
        with self._changed:
            self._changed.notify()

    def take(self, seconds: float) -> dict[str, Any]:
        """Wait for updates and return all pending ones; empty after a timeout."""
        with self._changed:
            if self.empty:
                self._changed.wait(seconds)
            states, self._states = self._states, {}
            messages, self._messages = self._messages, []
        return {"states": states, "messages": messages} if states or messages else {}


class PageServer:
    """Serves widgets on a local page.

    Args:
        title: of the page.
        port: 0 for any that is free.

    Attributes:
        address: of the page, with its token.

    Raises:
        OSError: if the port is in use.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.widgets import GraphView
        >>> with GraphView() as view, PageServer("example") as server:
        ...     server.add(view)
        ...     server.address.startswith("http://127.0.0.1:")
        True
    """

    def __init__(self, title: str, port: int = 0) -> None:
        self._title = title
        self._token = secrets.token_urlsafe(24)
        self._widgets: dict[str, BundledWidget] = {}
        self._pages: list[_Pending] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._server = RequestServer(self, port)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/?token={self._token}"
        threading.Thread(
            target=self._server.serve_forever,
            args=(0.05,),
            name="edutorch-page",
            daemon=True,
        ).start()

    def add(self, widget: BundledWidget) -> None:
        """Show a widget below the others, unless it is already shown."""
        if widget in self._widgets.values():
            return
        ident = f"w{len(self._widgets)}"
        self._widgets[ident] = widget
        widget.comm = _Comm(ident, self._deliver)
        self._deliver(ident, {"state": widget.own_state()})

    @property
    def read(self) -> bool:
        """Whether a page is open."""
        return bool(self._pages)

    def wait_until_sent(self, seconds: float = 5.0) -> None:
        """Wait until open pages have received all updates, up to a time limit."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not all(p.empty for p in list(self._pages)):
            time.sleep(INTERVAL / 2)
        time.sleep(INTERVAL)

    def close(self) -> None:
        """Stop serving; open pages keep their content."""
        self._ended.set()
        for page in list(self._pages):
            page.wake()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> PageServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ---- used by requests

    def is_authorized(self, token: str, host: str) -> bool:
        """Whether a request may be answered.

        The host is compared since a foreign name can be made to mean this machine.
        """
        ours = host in (f"127.0.0.1:{self.port}", f"localhost:{self.port}")
        return ours and hmac.compare_digest(token.encode(), self._token.encode())

    def page(self) -> str:
        """The page as HTML; the states of the views follow through the stream."""
        return html_page([], self._title, token=self._token)

    def stream(self, write: Callable[[str], None]) -> None:
        """Send the state of all widgets to a page, then updates, until it closes."""
        pending = _Pending()
        with self._lock:
            for ident, widget in self._widgets.items():
                pending.add(ident, {"state": widget.own_state()})
            self._pages.append(pending)
        try:
            while not self._ended.is_set():
                news = pending.take(ALIVE)
                text = json.dumps(news, separators=(",", ":"))
                write(f"data: {text}\n\n")
                time.sleep(max(INTERVAL, len(text) / BYTES_PER_SECOND))
        finally:
            self._pages.remove(pending)

    def receive(self, ident: str, data: Any) -> bool:
        """Pass a message of a page to its widget; return whether it was valid."""
        widget = self._widgets.get(ident)
        if widget is None or not isinstance(data, dict):
            return False
        if data.get("method") not in ("update", "custom"):
            return False
        comm = widget.comm
        if isinstance(comm, _Comm):
            comm.receive(data)
        return True

    def _deliver(self, ident: str, data: dict[str, Any]) -> None:
        with self._lock:
            for page in self._pages:
                page.add(ident, data)
