"""The backend of the meta device; its arrays cannot be copied to the host."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ...devices import device as Device
from .array import MetaArray, empty, like, meta_like

__all__ = ["META", "Meta"]


class _Maker:
    """NumPy, whose new arrays have no values."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, shape: Any, dtype: Any = float, **options: Any) -> MetaArray:
        """An array without values."""
        return empty(shape if isinstance(shape, tuple) else (shape,), dtype)

    zeros = ones = empty

    def eye(self, n: int, m: int | None = None, dtype: Any = float) -> MetaArray:
        """A matrix without values."""
        return empty((n, n if m is None else m), dtype)

    def full(self, shape: Any, fill_value: Any, dtype: Any = None) -> MetaArray:
        """An array without values, whatever the value."""
        return self.empty(
            shape, np.asarray(fill_value).dtype if dtype is None else dtype
        )

    def ascontiguousarray(self, x: Any, dtype: Any = None) -> MetaArray:
        """An array like another one, row by row."""
        x = self.asarray(x, dtype)
        found: MetaArray = x if x.flags.c_contiguous else x.copy()
        return found

    def asnumpy(self, x: Any) -> Any:
        """The array itself: it has no values."""
        return x

    def asarray(self, x: Any, dtype: Any = None) -> MetaArray:
        """An array like another one."""
        x = x if isinstance(x, np.ndarray) else np.asarray(x)
        return META.keep(x if dtype is None else x.astype(dtype, copy=False))


class Meta:
    """The backend of the meta device."""

    xp: Any = _Maker()
    simulated = False

    def allocate(self, device: Device, nbytes: int) -> None:
        """There are no memory statistics: nothing is allocated."""

    def keep(self, array: Any) -> MetaArray:
        """An array of this device like one that was made elsewhere."""
        return meta_like(np.asanyarray(array))

    def view(self, array: Any) -> MetaArray:
        """The same addresses, as an array of this device."""
        found: MetaArray = array.view(MetaArray)
        return found

    def upload(self, array: Any, device: Device) -> MetaArray:
        """The shape, dtype and order in memory of a host array."""
        return like(array)

    def download(self, array: Any) -> NoReturn:
        """Refuse, since there are no values.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")


META = Meta()
