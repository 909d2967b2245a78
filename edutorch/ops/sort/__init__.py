"""Sorting, distinct values, counts and histograms."""

from . import counting, histograms, ordering, quantiles
from .counting import *  # noqa: F403
from .histograms import *  # noqa: F403
from .ordering import *  # noqa: F403
from .quantiles import *  # noqa: F403

__all__ = counting.__all__ + histograms.__all__ + ordering.__all__ + quantiles.__all__
