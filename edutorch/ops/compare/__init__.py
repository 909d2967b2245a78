"""Comparisons, logic and bits."""

from .bits import *  # noqa: F403
from .closeness import *  # noqa: F403
from .logic import *  # noqa: F403
from .relations import *  # noqa: F403
