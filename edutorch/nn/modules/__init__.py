"""The layers, one file for each family."""

from . import (
    activation,
    container,
    conv,
    dropout,
    embedding,
    linear,
    loss,
    norm,
    pool,
    shape,
)
from . import module  # isort: skip
from .activation import *  # noqa: F403
from .container import *  # noqa: F403
from .conv import *  # noqa: F403
from .dropout import *  # noqa: F403
from .embedding import *  # noqa: F403
from .linear import *  # noqa: F403
from .loss import *  # noqa: F403
from .norm import *  # noqa: F403
from .pool import *  # noqa: F403
from .shape import *  # noqa: F403

__all__ = (
    activation.__all__
    + container.__all__
    + conv.__all__
    + dropout.__all__
    + embedding.__all__
    + linear.__all__
    + loss.__all__
    + norm.__all__
    + pool.__all__
    + shape.__all__
)
