"""Futures: results that are set later, and callbacks that run then."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["Future", "collect_all", "wait_all"]

T = TypeVar("T")


class Future(Generic[T]):
    """A result that another thread sets later.

    Args:
        devices: accepted; nothing has to be waited for on GPUs.

    Example:
        >>> import edutorch as torch
        >>> future = torch.futures.Future()
        >>> later = future.then(lambda f: f.wait() + 1)
        >>> future.set_result(2)
        >>> later.wait()
        3
    """

    def __init__(self, *, devices: Any = None) -> None:
        self._ready = threading.Condition()
        self._done = False
        self._value: Any = None
        self._error: Exception | None = None
        self._callbacks: list[Callable[[Any], Any]] = []

    def done(self) -> bool:
        """Whether the result, or an exception, is there."""
        return self._done

    def wait(self) -> T:
        """The result, once it is there.

        Raises:
            Exception: the one that was set instead of a result.
        """
        with self._ready:
            self._ready.wait_for(self.done)
        return self._result_or_raise()

    def value(self) -> T:
        """The result, which must be set.

        Raises:
            RuntimeError: if it is not.
        """
        if not self._done:
            raise RuntimeError("the future is not completed")
        return self._result_or_raise()

    def _result_or_raise(self) -> T:
        if self._error is not None:
            raise self._error
        value: T = self._value
        return value

    def set_result(self, result: T) -> None:
        """Set the result, wake the waiting threads and run the callbacks.

        Raises:
            RuntimeError: if there is one already.
        """
        self._complete(result, None)

    def set_exception(self, result: Exception) -> None:
        """Set an exception, which `wait` raises.

        Raises:
            AssertionError: for anything other than an exception.
        """
        if not isinstance(result, Exception):
            raise AssertionError(
                f"{result} is of type {type(result)}, not an Exception."
            )
        self._complete(None, result)

    def _complete(self, value: Any, error: Exception | None) -> None:
        with self._ready:
            if self._done:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. Note "
                    "that a Future can only be marked completed once."
                )
            self._value, self._error, self._done = value, error, True
            callbacks, self._callbacks = self._callbacks, []
            self._ready.notify_all()
        for callback in callbacks:
            callback(self)

    def add_done_callback(self, callback: Callable[[Any], Any]) -> None:
        """Call a function with this future once it is completed."""
        with self._ready:
            if not self._done:
                self._callbacks.append(callback)
                return
        callback(self)

    def then(self, callback: Callable[[Any], Any]) -> Future[Any]:
        """A future of a function's result for this one."""
        made: Future[Any] = self._following()

        def follow(done: Any) -> None:
            try:
                made.set_result(callback(done))
            except Exception as error:  # noqa: BLE001 (it is the future's)
                name = type(error).__name__
                made.set_exception(
                    RuntimeError(
                        "Got the following error when running the callback: "
                        f"{name}: {error}"
                    )
                )

        self.add_done_callback(follow)
        return made

    def _following(self) -> Future[Any]:
        """A new future, for what follows from this one."""
        return Future()

    def __repr__(self) -> str:
        return f"<torch.Future object at {id(self):#x}>"


def completed(result: T) -> Future[T]:
    """A future whose result is there already.

    Example:
        >>> completed(2).wait()
        2
    """
    made: Future[T] = Future()
    made.set_result(result)
    return made


def collect_all(futures: list[Any]) -> Future[list[Any]]:
    """A future of all futures, completed when they are.

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.futures.Future(), torch.futures.Future()
        >>> both = torch.futures.collect_all([a, b])
        >>> a.set_result(1), both.done(), b.set_result(2), both.done()
        (None, False, None, True)
    """
    if not futures:
        return completed([])
    made: Future[list[Any]] = Future()
    lock = threading.Lock()
    left = len(futures)

    def count(_: Any) -> None:
        nonlocal left
        with lock:
            left -= 1
            last = left == 0
        if last:
            made.set_result(futures)

    for future in futures:
        future.add_done_callback(count)
    return made


def wait_all(futures: list[Any]) -> list[Any]:
    """The results of all futures, once they are there.

    Raises:
        Exception: the first that was set instead of a result.

    Example:
        >>> import edutorch as torch
        >>> future = torch.futures.Future()
        >>> future.set_result(1)
        >>> torch.futures.wait_all([future, future])
        [1, 1]
    """
    return [future.wait() for future in collect_all(futures).wait()]
