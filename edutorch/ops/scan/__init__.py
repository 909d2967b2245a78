"""Running sums, products and extremes; differences, slopes and integrals."""

from . import cumulative, differences, slopes
from .cumulative import *  # noqa: F403
from .differences import *  # noqa: F403
from .slopes import *  # noqa: F403

__all__ = cumulative.__all__ + differences.__all__ + slopes.__all__
