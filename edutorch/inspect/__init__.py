"""Watching without Jupyter: what ran, how large gradients are, what fills memory.

`record()` keeps every event of a block; the recorders behind the widgets keep
what one question needs. None of them keeps a tensor alive, and each is bounded
in time and memory.
"""

from .gradients import GradientRecorder, Rules
from .graph import GraphRecorder
from .memory import MemoryRecorder
from .nonfinite import first_nonfinite
from .recorder import Recorder
from .recording import Counts, Recording, Tally, record

__all__ = [
    "Counts",
    "GradientRecorder",
    "GraphRecorder",
    "MemoryRecorder",
    "Recorder",
    "Recording",
    "Rules",
    "Tally",
    "first_nonfinite",
    "record",
]
