"""Random tensors: with the same seed, PyTorch's numbers."""

from .creation import *  # noqa: F403
from .fills import *  # noqa: F403
from .samples import *  # noqa: F403
from .state import *  # noqa: F403
