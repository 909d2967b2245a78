"""Running sums, products and extremes; differences and integrals."""

from . import cumulative, differences
from .cumulative import *  # noqa: F403
from .differences import *  # noqa: F403

__all__ = cumulative.__all__ + differences.__all__
