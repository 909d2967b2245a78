"""Comparisons, logic and bits."""

from . import bits, closeness, logic, relations
from .bits import *  # noqa: F403
from .closeness import *  # noqa: F403
from .logic import *  # noqa: F403
from .relations import *  # noqa: F403

__all__ = bits.__all__ + closeness.__all__ + logic.__all__ + relations.__all__
