"""Operations that change dtype, device or memory, not values."""

from .asking import *  # noqa: F403
from .cast import *  # noqa: F403
from .complexes import *  # noqa: F403
from .copies import *  # noqa: F403
from .copying import *  # noqa: F403
