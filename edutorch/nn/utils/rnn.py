"""Sequences of different lengths as one batch: padded, or packed."""

from ..packed_sequence import *
from ..packed_sequence import PackedSequence_, __all__

__all__ = [*__all__, "PackedSequence_"]
