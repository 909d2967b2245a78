"""Indexing: reading and writing parts of tensors."""

from . import (
    advanced,
    along,
    brackets,
    entries,
    finding,
    masked,
    reducing,
    scattering,
    unravel,
)
from .advanced import *  # noqa: F403
from .along import *  # noqa: F403
from .brackets import *  # noqa: F403
from .entries import *  # noqa: F403
from .finding import *  # noqa: F403
from .masked import *  # noqa: F403
from .reducing import *  # noqa: F403
from .scattering import *  # noqa: F403
from .unravel import *  # noqa: F403

__all__ = (
    advanced.__all__
    + along.__all__
    + brackets.__all__
    + entries.__all__
    + finding.__all__
    + masked.__all__
    + reducing.__all__
    + scattering.__all__
    + unravel.__all__
)
