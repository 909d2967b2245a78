"""Profiles with a schedule: only some training steps are timed.

- `profiler.py`: `profile`, `schedule`. The measurement, the tables and the trace file
  for Perfetto are in `edutorch/autograd`, in the files that its map lists last.
"""

from ..autograd.profiler import record_function
from .profiler import (
    ProfilerAction,
    ProfilerActivity,
    kineto_available,
    profile,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

__all__ = [
    "ProfilerAction", "ProfilerActivity", "kineto_available", "profile",
    "record_function", "schedule", "supported_activities", "tensorboard_trace_handler",
]  # fmt: skip
