"""The exceptions of process groups: PyTorch's, all of them RuntimeErrors."""

from __future__ import annotations

__all__ = [
    "DistBackendError", "DistError", "DistNetworkError", "DistQueueEmptyError",
    "DistStoreError",
]  # fmt: skip


class DistError(RuntimeError):
    """Base class of errors in communication between processes.

    Example:
        >>> issubclass(DistStoreError, DistError), issubclass(DistError, RuntimeError)
        (True, True)
    """


class DistBackendError(DistError):
    """A collective failed: a rank is gone, is late, or called another collective.

    Example:
        >>> issubclass(DistBackendError, DistError)
        True
    """


class DistNetworkError(DistError):
    """No connection could be made.

    Example:
        >>> issubclass(DistNetworkError, DistError)
        True
    """


class DistStoreError(DistError):
    """A store failed, usually because a key was not set in time.

    Example:
        >>> issubclass(DistStoreError, DistError)
        True
    """


class DistQueueEmptyError(DistStoreError):
    """A queue of a store is empty.

    Example:
        >>> issubclass(DistQueueEmptyError, DistStoreError)
        True
    """
