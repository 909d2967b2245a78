"""Whether all ranks call the same collective: a few bytes that go before the values.

They travel while the collective itself does, so nothing waits for them.
`TORCH_DISTRIBUTED_DEBUG=OFF` omits them; `DETAIL` also compares shapes. By default, the
dtype and the number of elements must be equal. See `debug_level.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..debug_level import DebugLevel, get_debug_level

__all__ = ["Fingerprint", "fingerprint"]

DIGEST, LENGTH = 16, 160


class Fingerprint:
    """The call that each rank announces.

    Args:
        comm: the communicator of the group.
        name: the call in words.
        key: the part of it that must be equal on all ranks.
    """

    def __init__(self, comm: Any, name: str, key: str) -> None:
        digest = hashlib.blake2b(key.encode(), digest_size=DIGEST).digest()
        text = digest + name.encode()[: LENGTH - DIGEST]
        self.mine = np.frombuffer(text.ljust(LENGTH, b"\0"), np.uint8)
        self.all = np.empty((comm.size, LENGTH), np.uint8)
        self.request = comm.Iallgather(self.mine, self.all)

    def mismatch(self, ranks: Sequence[int]) -> str | None:
        """Two ranks that call different collectives, in words; None if all agree."""
        differ = (self.all[:, :DIGEST] != self.all[0, :DIGEST]).any(1)
        if not differ.any():
            return None
        other = int(differ.argmax())
        return (
            "Detected mismatch between collectives on ranks. "
            f"Rank {ranks[0]} is running collective: {self._text(0)}, but "
            f"Rank {ranks[other]} is running collective: {self._text(other)}."
        )

    def _text(self, place: int) -> str:
        text = self.all[place, DIGEST:].tobytes().rstrip(b"\0")
        return text.decode(errors="replace")


def fingerprint(comm: Any, name: str, key: str) -> Fingerprint | None:
    """Start to exchange the ranks' calls; None if that is switched off."""
    level = get_debug_level()
    if comm.size == 1 or level is DebugLevel.OFF:
        return None
    return Fingerprint(comm, name, name if level is DebugLevel.DETAIL else key)
