"""`TCPStore`: a store that one process holds and the others reach by TCP."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
import weakref
from contextlib import suppress
from datetime import timedelta
from typing import Any

from ..errors import DistNetworkError, DistStoreError
from ..world.coordinator import enable_keepalive
from .store import DEFAULT_TIMEOUT, HashStore, Store

__all__ = ["TCPStore"]


def send_message(connection: socket.socket, message: Any) -> None:
    """Send one message: its length, then JSON in which bytes are Latin-1 text."""
    data = json.dumps(message, default=lambda b: {"b": b.decode("latin-1")}).encode()
    connection.sendall(struct.pack(">Q", len(data)) + data)


def receive_message(connection: socket.socket) -> Any:
    """The next message, or None where the connection has ended."""
    head = _receive_exactly(connection, 8)
    data = head and _receive_exactly(connection, struct.unpack(">Q", head)[0])
    return json.loads(data, object_hook=_decode_bytes) if data else None


def _receive_exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = connection.recv(min(count - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)


def _decode_bytes(found: dict[str, Any]) -> Any:
    return found["b"].encode("latin-1") if set(found) == {"b"} else found


class TCPStore(Store):
    """A store in the memory of one process, which the others reach by TCP.

    Args:
        host_name: the host of the process that holds it.
        port: the port; 0 lets the system choose, for the process that holds it.
        world_size: the number of processes, if the constructor is to wait for all.
        is_master: whether this process holds it.
        timeout: how long to wait for connections and for keys.
        wait_for_workers: wait until `world_size` processes have connected.

    Raises:
        DistNetworkError: if nobody listens there in time, or the port is taken.

    Example:
        >>> import edutorch as torch
        >>> store = torch.distributed.TCPStore("localhost", 0, is_master=True)
        >>> other = torch.distributed.TCPStore("localhost", store.port)
        >>> store.set("a", "1")
        >>> other.get("a")
        b'1'
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = DEFAULT_TIMEOUT,
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        super().__init__()
        self._timeout = timeout
        self._host, self._port = host_name, port
        self._lock = threading.Lock()
        self._values: HashStore | None = None
        if is_master:
            self._serve(master_listen_fd)
        else:
            self._connection = self._connect()
            _close_on_collection(self, self._connection)
        if wait_for_workers and world_size is not None and world_size > 1:
            self._wait_for_workers(world_size)

    @property
    def host(self) -> str:
        """The host of the process that holds the store."""
        return self._host

    @property
    def port(self) -> int:
        """The port at which it listens."""
        return self._port

    # ---- in the process that holds the store

    def _serve(self, descriptor: int | None) -> None:
        """Listen, and answer each connection in its own thread."""
        try:
            if descriptor is not None:
                listener = socket.socket(fileno=descriptor)
                listener.listen()
            else:
                listener = socket.create_server(("", self._port), backlog=128)
        except OSError as error:
            raise DistNetworkError(
                f"The server socket has failed to listen on any local network "
                f"address. port: {self._port}, message: {error.strerror}"
            ) from error
        self._port = int(listener.getsockname()[1])
        self._values = HashStore()
        _close_on_collection(self, listener)
        threading.Thread(
            target=_accept, args=(listener, self._values), daemon=True
        ).start()

    # ---- in the other processes

    def _connect(self) -> socket.socket:
        """Connect, repeatedly until the timeout, since the holder may start later."""
        until = time.monotonic() + self._timeout.total_seconds()
        while True:
            try:
                made = socket.create_connection((self._host, self._port), timeout=5)
                _refuse_own_port(made)
                made.settimeout(None)
                enable_keepalive(made)
            except OSError as error:
                if time.monotonic() > until:
                    raise DistNetworkError(
                        f"The client socket has timed out after "
                        f"{int(self._timeout.total_seconds() * 1000)}ms while trying "
                        f"to connect to ({self._host}, {self._port})."
                    ) from error
                time.sleep(0.05)
            else:
                return made

    def _wait_for_workers(self, world_size: int) -> None:
        """Wait until all processes have created their stores."""
        self.add("/workers", 1)
        limit = self._timeout.total_seconds()
        if not self._wait_until(lambda: self.add("/workers", 0) >= world_size, limit):
            raise DistStoreError(
                f"Timed out after {int(limit)} seconds waiting for clients. "
                f"{self.add('/workers', 0)}/{world_size} clients joined."
            )

    def _execute(self, command: str, *args: Any) -> Any:
        if self._values is not None:
            return self._values._execute(command, *args)
        try:
            with self._lock:
                send_message(self._connection, [command, *args])
                answer = receive_message(self._connection)
        except OSError as error:
            raise self._connection_lost() from error
        if answer is None:
            raise self._connection_lost()
        return answer[0]

    def _connection_lost(self) -> DistNetworkError:
        return DistNetworkError(
            f"failed to recv, got 0 bytes: the process that holds the store at "
            f"{self._host}:{self._port} has gone"
        )

    def clone(self) -> TCPStore:
        """Another connection to the same store."""
        return TCPStore(self._host, self._port, timeout=self._timeout)


def _refuse_own_port(made: socket.socket) -> None:
    """Close a connection that is connected to itself.

    If nobody listens at a port yet, the system may choose that port as the local end of
    the connection, and the holder of the store could then not listen there.
    """
    if made.getsockname() == made.getpeername():
        made.close()
        raise ConnectionRefusedError("connected with itself: nobody listens")


def _close_on_collection(store: TCPStore, used: socket.socket) -> None:
    """Close a socket when the store is collected, but not at the program's exit."""
    weakref.finalize(store, _close, used).atexit = False


def _close(used: socket.socket) -> None:
    with suppress(OSError):  # the other end may have closed it
        used.shutdown(socket.SHUT_RDWR)  # wakes threads that wait for it
    used.close()


def _accept(listener: socket.socket, held: HashStore) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # the store has been collected
            return
        enable_keepalive(connection)
        threading.Thread(
            target=_serve_connection, args=(connection, held), daemon=True
        ).start()


def _serve_connection(connection: socket.socket, held: HashStore) -> None:
    """Run the commands of one connection until it ends."""
    with connection:
        try:
            while (message := receive_message(connection)) is not None:
                send_message(connection, [held._execute(*message)])
        except OSError:
            pass  # the process at the other end has died
