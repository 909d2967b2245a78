"""Shape operations."""

from .views import *  # noqa: F403
