"""Indexing: reading and writing parts of tensors."""

from .advanced import *  # noqa: F403
from .along import *  # noqa: F403
from .brackets import *  # noqa: F403
from .entries import *  # noqa: F403
from .finding import *  # noqa: F403
from .masked import *  # noqa: F403
from .scattering import *  # noqa: F403
