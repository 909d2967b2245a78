"""Profiles with a schedule: only some training steps are timed.

- `profiler.py`: `profile`, `schedule`. The measurement is in `edutorch/autograd`:
  `profiler.py` there.
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
