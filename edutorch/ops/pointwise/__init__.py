"""Operations that work element by element."""

from .arithmetic import *  # noqa: F403
from .blend import *  # noqa: F403
from .division import *  # noqa: F403
from .exponential import *  # noqa: F403
from .hyperbolic import *  # noqa: F403
from .magnitude import *  # noqa: F403
from .minmax import *  # noqa: F403
from .powers import *  # noqa: F403
from .roots import *  # noqa: F403
from .rounding import *  # noqa: F403
from .special_functions import *  # noqa: F403
from .trigonometric import *  # noqa: F403
