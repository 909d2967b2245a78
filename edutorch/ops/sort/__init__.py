"""Sorting, distinct values and counts."""

from .counting import *  # noqa: F403
from .ordering import *  # noqa: F403
