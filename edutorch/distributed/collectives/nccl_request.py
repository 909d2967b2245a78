"""Work of NCCL, polled for completion like requests of MPI."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..errors import DistBackendError

__all__ = ["NcclRequest"]


class NcclRequest:
    """Work of NCCL, with the methods of MPI's requests.

    Args:
        communicator: CuPy's, of NCCL.
        event: recorded behind the work.
    """

    def __init__(self, communicator: Any, event: Any) -> None:
        self.communicator, self.event = communicator, event

    def Test(self) -> bool:  # noqa: N802 (MPI's name)
        """Whether it has ended.

        Raises:
            DistBackendError: NCCL has noticed that it failed.
        """
        try:
            self.communicator.check_async_error()
        except RuntimeError as error:
            raise DistBackendError(f"NCCL refused: {error}") from error
        return bool(self.event.done)

    def abort(self) -> None:
        """End the work on this GPU, which would wait for the other ranks for ever."""
        with suppress(RuntimeError):  # NCCL has ended it itself
            self.communicator.abort()
