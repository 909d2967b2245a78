"""Pointwise operations."""

from .arithmetic import *  # noqa: F403
