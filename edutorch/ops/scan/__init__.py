"""Running sums, products and extremes."""

from . import cumulative
from .cumulative import *  # noqa: F403

__all__ = cumulative.__all__
