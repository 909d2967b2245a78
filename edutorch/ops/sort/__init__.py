"""Sorting, distinct values and counts."""

from . import counting, ordering, quantiles
from .counting import *  # noqa: F403
from .ordering import *  # noqa: F403
from .quantiles import *  # noqa: F403

__all__ = counting.__all__ + ordering.__all__ + quantiles.__all__
