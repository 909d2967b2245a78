"""Handles HTTP requests for the page of `page_server.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

__all__ = ["Pages", "RequestServer"]

LARGEST = 1_000_000  # bytes of a request


class Pages(Protocol):
    """What requests refer to."""

    def is_authorized(self, token: str, host: str) -> bool:
        """Whether a request may be answered."""

    def page(self) -> str:
        """The page as HTML."""

    def stream(self, write: Callable[[str], None]) -> None:
        """Write updates until the page or the program ends."""

    def receive(self, ident: str, data: Any) -> bool:
        """Pass a message to a widget; return whether it was valid."""


class RequestServer(ThreadingHTTPServer):
    """A server on the loopback interface.

    Args:
        pages: the pages that it serves.
        port: 0 for any that is free.
    """

    daemon_threads = True

    def __init__(self, pages: Pages, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.pages = pages


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: RequestServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self._allowed_path()
        if path == "/":
            self._answer(
                HTTPStatus.OK, "text/html; charset=utf-8", self.server.pages.page()
            )
        elif path == "/events":
            self._stream()
        elif path is not None:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        path = self._allowed_path()
        if path is None:
            return
        size = int(self.headers.get("Content-Length") or 0)
        if not 0 <= size <= LARGEST:
            self.close_connection = True
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        try:
            done = self.server.pages.receive(
                path[1:], json.loads(self.rfile.read(size))
            )
        except ValueError:
            done = False
        status = HTTPStatus.OK if done else HTTPStatus.BAD_REQUEST
        self._answer(status, "text/plain", "")

    def _allowed_path(self) -> str | None:
        """The path of a request with the right token; others are answered with 403."""
        parts = urlsplit(self.path)
        token = parse_qs(parts.query).get("token", [""])[0]
        if self.server.pages.is_authorized(token, self.headers.get("Host", "")):
            return parts.path
        self.close_connection = True
        self.send_error(HTTPStatus.FORBIDDEN, "the address lacks its token")
        return None

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self._describe(kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _describe(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")

    def _stream(self) -> None:
        self.send_response(HTTPStatus.OK)
        self._describe("text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

        def write(text: str) -> None:
            self.wfile.write(text.encode())
            self.wfile.flush()

        try:
            self.server.pages.stream(write)
        except OSError:
            return  # the page is gone

    def log_message(self, *_: Any) -> None:
        """Log nothing, to keep requests out of the program's output."""
