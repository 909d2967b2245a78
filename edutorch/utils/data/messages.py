"""Messages between loader and workers: a pickle, and the memory of arrays."""

from __future__ import annotations

import io
import os
import pickle
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

try:
    from fcntl import F_SETPIPE_SZ, fcntl  # Linux has both
except ImportError:
    fcntl = None  # type: ignore[assignment]  # checked before each use

__all__ = ["pack_message", "receive", "send", "enlarge_pipe"]

Message = tuple[bytes, list[Any]]
PIPE_BYTES = 1 << 20  # what Linux allows any user


def enlarge_pipe(end: Connection) -> None:
    """Let a pipe hold a whole small batch, so that its writer need not wait."""
    if fcntl is not None:
        with suppress(OSError):  # this user has many wide pipes already
            fcntl(end.fileno(), F_SETPIPE_SZ, PIPE_BYTES)


class _Pickler(pickle.Pickler):
    """multiprocessing's pickler, with the memory of arrays out of band."""

    def __init__(self, file: io.BytesIO, aside: list[pickle.PickleBuffer]) -> None:
        super().__init__(file, 5, buffer_callback=aside.append)
        self.dispatch_table = ForkingPickler(file).dispatch_table


def pack_message(message: Any) -> Message:
    """A message as bytes and the memory of its arrays.

    Raises:
        PicklingError: and others, for what cannot be sent.
    """
    file: io.BytesIO = io.BytesIO()
    aside: list[pickle.PickleBuffer] = []
    _Pickler(file, aside).dump(message)
    return file.getvalue(), [buffer.raw() for buffer in aside]


def send(end: Connection, message: Message) -> None:
    """Write a packed message to a pipe."""
    program, memory = message
    end.send((program, [m.nbytes for m in memory]))
    for rest in memory:
        while rest:
            rest = rest[os.write(end.fileno(), rest) :]


def receive(end: Connection) -> Any:
    """Read a message from a pipe.

    Raises:
        EOFError: if the other end is gone before all of it has come.
    """
    program, sizes = end.recv()
    arrays = [np.empty(size, np.uint8) for size in sizes]
    for array in arrays:
        rest = array.data
        while rest:
            count = os.readv(end.fileno(), [rest])
            if not count:
                raise EOFError
            rest = rest[count:]
    return pickle.loads(program, buffers=arrays)  # noqa: S301 (from our own worker)
