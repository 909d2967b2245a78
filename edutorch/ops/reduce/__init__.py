"""Reduce operations."""

from .sums import *  # noqa: F403
