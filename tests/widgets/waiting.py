"""Waiting for what another thread does."""

from __future__ import annotations

import time

__all__ = ["until"]


def until(condition, seconds=30.0):
    """Whether a condition holds, as soon as it does; False when time is up."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
