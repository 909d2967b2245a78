"""Operations that reduce dimensions."""

from .extremes import *  # noqa: F403
from .means import *  # noqa: F403
from .sums import *  # noqa: F403
