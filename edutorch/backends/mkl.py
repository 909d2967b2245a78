"""Intel's library for matrix products, which NumPy may use."""

from __future__ import annotations

from typing import Any, Final, Self

__all__ = ["VERBOSE_OFF", "VERBOSE_ON", "is_available", "verbose"]

VERBOSE_OFF: Final = 0
VERBOSE_ON: Final = 1


def is_available() -> bool:
    """Whether MKL is called directly: always False, NumPy chooses its BLAS.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.mkl.is_available()
        False
    """
    return False


class verbose:  # noqa: N801 (PyTorch's name)
    """A block in which the library would log its calls.

    Raises:
        RuntimeError: on entering with `VERBOSE_ON`, since it is not there.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.mkl.verbose(torch.backends.mkl.VERBOSE_OFF):
        ...     pass
    """

    def __init__(self, enable: Any) -> None:
        self.enable = enable

    def __enter__(self) -> Self:
        if self.enable != VERBOSE_OFF:
            raise RuntimeError(
                "Failed to set MKL into verbose mode. Please consider to disable this "
                "verbose scope."
            )
        return self

    def __exit__(self, *exception: object) -> None:
        return None
