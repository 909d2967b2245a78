"""Exceptions of workers and replicas, re-raised where their results are awaited."""

from __future__ import annotations

import traceback
from typing import NoReturn

__all__ = ["WorkerException"]


class _Lines(str):
    """Text that is its own repr, since KeyError shows the repr of its argument."""

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
        """A RuntimeError with this text, for exception types that cannot be pickled."""
        self.kind = RuntimeError  # the text still names the type
        return self

    def reraise(self) -> NoReturn:
        """Raise the exception here, with the worker's traceback in its message."""
        message = f"Caught {self.kind.__name__} {self.where}.\nOriginal {self.text}"
        if issubclass(self.kind, KeyError):
            raise self.kind(_Lines(message))
        raise self._with(message)

    def _with(self, message: str) -> BaseException:
        """An error of the same type, or a RuntimeError if that needs more."""
        try:
            if getattr(self.kind, "message", None):
                return self.kind(message=message)  # type: ignore[call-arg]  # its own argument
            return self.kind(message)
        except Exception:  # noqa: BLE001 (whatever a constructor of a user raises)
            return RuntimeError(message)
