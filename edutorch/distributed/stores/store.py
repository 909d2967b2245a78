"""Stores: dictionaries shared by processes, with which they find each other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ..errors import DistBackendError, DistStoreError

__all__ = ["HashStore", "PrefixStore", "Store", "wait_for_ranks"]

DEFAULT_TIMEOUT = timedelta(seconds=300)


def as_bytes(value: str | bytes | int) -> bytes:
    """The bytes stored for a value: text is encoded.

    Example:
        >>> as_bytes("ready"), as_bytes(3)
        (b'ready', b'3')
    """
    return value if isinstance(value, bytes) else str(value).encode()


class Store:
    """A dictionary of bytes that several processes read and write.

    Example:
        >>> import edutorch as torch
        >>> store = torch.distributed.HashStore()
        >>> store.set("weights", "ready")
        >>> store.get("weights"), store.add("ranks", 1), store.add("ranks", 2)
        (b'ready', 1, 3)
    """

    def __init__(self) -> None:
        self._timeout = DEFAULT_TIMEOUT

    @property
    def timeout(self) -> timedelta:
        """The time that `get` and `wait` wait for a key."""
        return self._timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Set how long `get` and `wait` wait."""
        self._timeout = timeout

    def _execute(self, command: str, *args: Any) -> Any:
        """Run one command on the dictionary atomically."""
        raise NotImplementedError

    def _wait_until(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Wait at most `seconds` until `ready()` is true; return whether it is."""
        until = time.monotonic() + seconds
        while not ready():
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
        return True

    def set(self, key: str, value: str | bytes | int) -> None:
        """Store a value."""
        self._execute("set", key, as_bytes(value))

    def get(self, key: str) -> bytes:
        """The value of a key; waits until it has one.

        Raises:
            DistStoreError: if it is not set in time.
        """
        self.wait([key])
        return bytes(self._execute("get", key))

    def add(self, key: str, amount: int) -> int:
        """Add to a number (0 at first) and return the sum."""
        return int(self._execute("add", key, int(amount)))

    def append(self, key: str, value: str | bytes) -> None:
        """Append bytes to a value."""
        self._execute("append", key, as_bytes(value))

    def compare_set(
        self, key: str, expected_value: str | bytes, desired_value: str | bytes
    ) -> bytes:
        """Set a value if the current one is as expected; returns the value afterwards.

        A missing key is set if "" is expected; otherwise, `expected_value` is returned.
        """
        expected, desired = as_bytes(expected_value), as_bytes(desired_value)
        return bytes(self._execute("compare_set", key, expected, desired))

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all keys are set."""
        return bool(self._execute("check", *keys))

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None) -> None:
        """Wait until all keys are there.

        Raises:
            DistStoreError: if they do not come in time.
        """
        limit = self._timeout if timeout is None else timeout
        if not self._wait_until(lambda: self.check(keys), limit.total_seconds()):
            raise DistStoreError(
                f"wait timeout after {int(limit.total_seconds() * 1000)}ms, "
                f"keys: {', '.join('/' + key for key in keys)}"
            )

    def delete_key(self, key: str) -> bool:
        """Remove a key; returns whether it existed."""
        return bool(self._execute("delete", key))

    def num_keys(self) -> int:
        """The number of keys."""
        return int(self._execute("count"))

    def list_keys(self) -> list[str]:
        """The names of all keys."""
        return list(self._execute("keys"))

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """The values of several keys; waits until all are set."""
        self.wait(keys)
        return [bytes(self._execute("get", key)) for key in keys]

    def multi_set(
        self, keys: Sequence[str], values: Sequence[str | bytes | int]
    ) -> None:
        """Store several values."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def has_extended_api(self) -> bool:
        """Whether `append`, `multi_get` and `multi_set` are available."""
        return True


def apply_command(values: dict[str, bytes], command: str, *args: Any) -> Any:
    """Apply a command of a store to its dictionary.

    Example:
        >>> values = {}
        >>> apply_command(values, "add", "n", 2), apply_command(values, "add", "n", 3)
        (2, 5)
    """
    if command == "check":
        return all(key in values for key in args)
    if command in {"count", "keys"}:
        return len(values) if command == "count" else sorted(values)
    key, *rest = args
    if command == "set":
        values[key] = rest[0]
    elif command == "get":
        return values[key]
    elif command == "add":
        values[key] = as_bytes(int(values.get(key, b"0")) + rest[0])
        return int(values[key])
    elif command == "append":
        values[key] = values.get(key, b"") + rest[0]
    elif command == "compare_set":
        expected, desired = rest
        if key not in values and expected:
            return expected
        if values.get(key, b"") == expected:
            values[key] = desired
        return values[key]
    elif command == "delete":
        return values.pop(key, None) is not None
    return None


class HashStore(Store):
    """A store for the threads of one process.

    Example:
        >>> import edutorch as torch
        >>> store = torch.distributed.HashStore()
        >>> store.set("a", "1")
        >>> store.check(["a"]), store.check(["a", "b"]), store.num_keys()
        (True, False, 1)
    """

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[str, bytes] = {}
        self._changed = threading.Condition()

    def _execute(self, command: str, *args: Any) -> Any:
        with self._changed:
            answer = apply_command(self._values, command, *args)
            self._changed.notify_all()
        return answer

    def _wait_until(self, ready: Callable[[], bool], seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(ready, seconds)


class PrefixStore(Store):
    """A view of another store, in which all keys have a prefix.

    Example:
        >>> import edutorch as torch
        >>> store = torch.distributed.HashStore()
        >>> part = torch.distributed.PrefixStore("group1", store)
        >>> part.set("ready", "yes")
        >>> store.get("group1/ready")
        b'yes'
    """

    def __init__(self, prefix: str, store: Store) -> None:
        super().__init__()
        self._prefix, self._store = prefix, store

    @property
    def underlying_store(self) -> Store:
        """The other store."""
        return self._store

    @property
    def timeout(self) -> timedelta:
        """The time that `get` and `wait` wait for a key."""
        return self._store.timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Set how long `get` and `wait` wait."""
        self._store.set_timeout(timeout)

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None) -> None:
        """Wait until all keys are there."""
        self._store.wait([f"{self._prefix}/{key}" for key in keys], timeout)

    def _execute(self, command: str, *args: Any) -> Any:
        if command == "count":
            return self._store._execute(command)
        if command == "keys":
            start = self._prefix + "/"
            return [k for k in self._store.list_keys() if k.startswith(start)]
        if command == "check":
            return self._store._execute(command, *(f"{self._prefix}/{k}" for k in args))
        key, *rest = args
        return self._store._execute(command, f"{self._prefix}/{key}", *rest)


def wait_for_ranks(
    store: Store,
    call: str,
    key: str,
    ranks: Sequence[int],
    timeout: timedelta,
    find_failure: Callable[[], str | None] = lambda: None,
) -> None:
    """Wait until each of some ranks has set its key, `key/rank`.

    Args:
        call: the name of the function that waits, for messages.
        find_failure: returns why some ranks will never arrive, or None.

    Raises:
        DistBackendError: if some do not come in time, or one of them has failed.

    Example:
        >>> store = HashStore()
        >>> store.set("ready/0", "here")
        >>> wait_for_ranks(store, "start", "ready", [0], timedelta(seconds=1))
    """
    keys = [f"{key}/{rank}" for rank in ranks]
    until = time.monotonic() + timeout.total_seconds()
    why = None
    while why is None:
        try:
            store.wait(keys, min(timeout, timedelta(seconds=0.5)))
        except DistStoreError:
            why = find_failure()
            if why is None and time.monotonic() > until:
                why = f"timed out after {timeout.total_seconds():g} s"
        else:
            return
    absent = [str(r) for r, k in zip(ranks, keys, strict=True) if not store.check([k])]
    # `why` names the failed rank; ranks without a key may only be late.
    missing = f". Ranks that had not come: {', '.join(absent)}" if absent else ""
    raise DistBackendError(f"{call} failed: {why}{missing}")
