"""Making tensors."""

from .filled import *  # noqa: F403
from .indices import *  # noqa: F403
from .likes import *  # noqa: F403
from .ranges import *  # noqa: F403
from .strided import *  # noqa: F403
from .values import *  # noqa: F403
