"""Requests are answered in `test_page_server.py`; here, what they do not tell."""

from __future__ import annotations

import urllib.request

from edutorch.widgets.page_server import PageServer


def test_answer_may_neither_be_kept_nor_framed_nor_passed_on():
    with PageServer("page") as server:
        with urllib.request.urlopen(server.address, timeout=10) as reply:  # noqa: S310 (our own)
            headers = reply.headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_request_is_not_printed(capfd):
    with PageServer("page") as server:
        urllib.request.urlopen(server.address).close()  # noqa: S310 (our own)
    assert capfd.readouterr() == ("", "")
