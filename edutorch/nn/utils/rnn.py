"""Sequences of different lengths as one batch: padded, or packed."""

from ..sequences import *  # noqa: F403
from ..sequences import PackedSequence_, __all__

__all__ = [*__all__, "PackedSequence_"]
