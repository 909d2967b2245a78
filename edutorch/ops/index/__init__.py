"""Indexing: reading and writing parts of tensors."""

from . import (
    advanced,
    gathering,
    getitem,
    index_updates,
    masked,
    nonzero_elements,
    scatter_reductions,
    scattering,
    unravel,
)
from .advanced import *  # noqa: F403
from .gathering import *  # noqa: F403
from .getitem import *  # noqa: F403
from .index_updates import *  # noqa: F403
from .masked import *  # noqa: F403
from .nonzero_elements import *  # noqa: F403
from .scatter_reductions import *  # noqa: F403
from .scattering import *  # noqa: F403
from .unravel import *  # noqa: F403

__all__ = (
    advanced.__all__
    + gathering.__all__
    + getitem.__all__
    + index_updates.__all__
    + nonzero_elements.__all__
    + masked.__all__
    + scatter_reductions.__all__
    + scattering.__all__
    + unravel.__all__
)
