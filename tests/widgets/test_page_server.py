"""The page of a program: who is answered, and what goes to and fro."""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request

import pytest

import edutorch as torch
from edutorch.widgets import GraphView, TensorCard, live
from edutorch.widgets.page_server import PageServer, _Pending
from edutorch.widgets.refresher import refresher


@pytest.fixture
def server():
    with PageServer("a <title>") as served:
        yield served


def ask(server, path="/", token=None, body=None, host=None):
    """The status of a request, and what came back."""
    token = server._token if token is None else token
    address = f"http://127.0.0.1:{server.port}{path}?token={token}"
    request = urllib.request.Request(address, data=body)
    if host:
        request.add_header("Host", host)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:  # noqa: S310 (our own)
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, ""


def read_stream(server):
    """The messages of an event stream, one after another."""
    address = f"http://127.0.0.1:{server.port}/events?token={server._token}"
    with urllib.request.urlopen(address, timeout=10) as stream:
        for line in stream:
            if line.startswith(b"data: ") and line.strip() != b"data: {}":
                yield json.loads(line[6:])


def test_page_is_given_to_whoever_has_the_token(server):
    status, page = ask(server)
    assert status == 200
    assert "a &lt;title&gt;" in page
    assert "connect-src 'self'" in page


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"token": ""}, 403),
        ({"token": "wrong"}, 403),
        ({"token": "%C3%A4"}, 403),
        ({"host": "example.org"}, 403),  # a name that was made to mean this machine
        ({"token": "", "path": "/events"}, 403),
        ({"token": "", "path": "/w0", "body": b"{}"}, 403),
        ({"path": "/../etc/passwd"}, 404),
        ({"path": "/w9", "body": b"{}"}, 400),
        ({"path": "/w0", "body": b"no JSON"}, 400),
        ({"path": "/w0", "body": b"[1]"}, 400),
        ({"path": "/w0", "body": b'{"method": "custom'}, 400),
        ({"path": "/w0", "body": b'{"method": "close"}'}, 400),
    ],
)
def test_request_that_may_not_be_answered_is_refused(server, changes, status):
    with GraphView() as view:
        server.add(view)
        assert ask(server, **changes)[0] == status


def test_message_that_is_too_long_is_refused_before_it_is_read(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {"Content-Length": "1000001"}
    connection.request("POST", f"/w0?token={server._token}", headers=headers)
    reply = connection.getresponse()
    assert (reply.status, reply.headers["Connection"]) == (413, "close")
    connection.close()


def test_server_listens_on_the_loopback_interface_only(server):
    assert server._server.server_address[0] == "127.0.0.1"


def test_stream_begins_with_the_state_and_follows_changes(server):
    with GraphView() as view:
        server.add(view)
        messages = read_stream(server)
        first = next(messages)["states"]["w0"]
        assert first["view"] == "graph"
        assert "_esm" not in first
        view.status = "changed"
        changed = next(messages)["states"]["w0"]
        assert changed["status"] == "changed"
        messages.close()


def test_widget_that_is_added_late_appears_and_stays_once(server):
    messages = read_stream(server)
    with TensorCard(torch.ones(2), "x") as card:
        server.add(card)
        server.add(card)
        assert next(messages)["states"]["w0"]["data"]["name"] == "x"
    messages.close()


def test_change_in_the_page_reaches_the_widget(server):
    with TensorCard(torch.ones(3, 2, 2)) as card:
        server.add(card)
        body = json.dumps({"method": "update", "state": {"at": 2, "nonsense": 1}})
        assert ask(server, "/w0", body=body.encode())[0] == 200
        assert card.at == 2


def test_message_of_the_page_is_answered_through_the_stream(server):
    server.add(live.widget)
    messages = read_stream(server)
    next(messages)
    body = json.dumps({"method": "custom", "content": {"cmd": "hello"}}).encode()
    assert ask(server, "/w0", body=body)[0] == 200
    ((ident, reply),) = next(messages)["messages"]
    assert (ident, reply["ack"], reply["live"]) == ("w0", 1, True)
    messages.close()


def test_page_that_is_slow_gets_the_newest_value_only():
    pending = _Pending()
    for number in range(5):
        pending.add("w0", {"method": "update", "state": {"data": number}})
    for number in range(2000):
        pending.add("w1", {"method": "custom", "content": number})
    news = pending.take(0)
    assert news["states"] == {"w0": {"data": 4}}
    assert [n for _, n in news["messages"]] == list(range(1000, 2000))
    assert pending.take(0) == {}


def test_page_that_goes_is_forgotten_and_closing_ends_the_threads():
    before = set(threading.enumerate())
    with PageServer("page") as server, GraphView() as view:
        server.add(view)
        messages = read_stream(server)
        next(messages)
        assert server.read
        messages.close()
    new = set(threading.enumerate()) - before
    for thread in new - {refresher._thread}:
        thread.join(10)
        assert not thread.is_alive()


def test_port_in_use_is_refused(server):
    with pytest.raises(OSError, match="in use"):
        PageServer("second", server.port)
