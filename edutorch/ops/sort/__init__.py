"""Sorting, distinct values and counts."""

from . import counting, ordering
from .counting import *  # noqa: F403
from .ordering import *  # noqa: F403

__all__ = counting.__all__ + ordering.__all__
