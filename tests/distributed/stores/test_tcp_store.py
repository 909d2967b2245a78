"""A store that is reached by TCP: ports, connections, ends."""

from __future__ import annotations

import socket
import threading
from datetime import timedelta

import pytest

from edutorch.distributed import DistNetworkError, DistStoreError, TCPStore
from edutorch.distributed.stores import tcp_store
from tests.ports import free_port


def test_tcp_store_refuses_a_port_that_is_taken():
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DistNetworkError, match=f"port: {port}"):
            TCPStore("127.0.0.1", port, is_master=True)


def test_tcp_store_gives_up_where_nobody_listens():
    with pytest.raises(DistNetworkError, match="timed out after 100ms"):
        TCPStore("127.0.0.1", free_port(), timeout=timedelta(seconds=0.1))


def test_tcp_store_is_not_connected_with_itself(monkeypatch):
    """The system may give a connection the port to which it goes, for its own end."""
    port = free_port()
    made = socket.socket()
    made.bind(("127.0.0.1", port))

    def connected_with_itself(address, timeout):
        made.connect(address)  # refused after it has been closed
        return made

    monkeypatch.setattr(tcp_store.socket, "create_connection", connected_with_itself)
    with pytest.raises(DistNetworkError, match="timed out after 100ms"):
        TCPStore("127.0.0.1", port, timeout=timedelta(seconds=0.1))


def test_tcp_store_waits_for_its_workers():
    with pytest.raises(DistStoreError, match="1/2 clients joined"):
        TCPStore("127.0.0.1", 0, 2, is_master=True, timeout=timedelta(seconds=0.1))


def test_tcp_store_that_waits_goes_on_when_all_have_come():
    port = free_port()
    made = []

    def hold():
        made.append(TCPStore("127.0.0.1", port, 2, is_master=True))

    thread = threading.Thread(target=hold)
    thread.start()
    client = TCPStore("127.0.0.1", port, 2)
    thread.join(10)
    client.set("a", "1")
    assert made[0].get("a") == b"1"
    assert (client.host, client.port) == ("127.0.0.1", port)
