"""Exceptions that travel: raised in a worker, raised again where the loop is."""

from __future__ import annotations

import traceback
from typing import NoReturn

__all__ = ["WorkerException"]


class _Lines(str):
    """A text that is its own repr: KeyError shows the repr of what it is given."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class WorkerException:
    """An exception's type and traceback, as text that can be sent.

    Args:
        error: what was raised.
        where: where, to complete "Caught ValueError ...".
    """

    def __init__(self, error: BaseException, where: str) -> None:
        self.kind = type(error)
        self.where = where
        self.text = "".join(traceback.format_exception(error))

    def picklable(self) -> WorkerException:
        """The same for an exception type that cannot be sent: a RuntimeError."""
        self.kind = RuntimeError  # the text still names the type
        return self

    def reraise(self) -> NoReturn:
        """Raise it here: the same type, the traceback of there in the message."""
        message = f"Caught {self.kind.__name__} {self.where}.\nOriginal {self.text}"
        if issubclass(self.kind, KeyError):
            raise self.kind(_Lines(message))
        raise self._with(message)

    def _with(self, message: str) -> BaseException:
        """An error of the same type, or a RuntimeError if that needs more."""
        try:
            if getattr(self.kind, "message", None):
                return self.kind(message=message)  # type: ignore[call-arg]
            return self.kind(message)
        except Exception:  # noqa: BLE001 (whatever a constructor of a user raises)
            return RuntimeError(message)
