"""Running sums, products and extremes."""

from .cumulative import *  # noqa: F403
