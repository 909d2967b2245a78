"""Operations that change dtype, device or memory, not values."""

from . import asking, cast, complexes, copies, copying, elementwise, named, parts
from .asking import *  # noqa: F403
from .cast import *  # noqa: F403
from .complexes import *  # noqa: F403
from .copies import *  # noqa: F403
from .copying import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .named import *  # noqa: F403
from .parts import *  # noqa: F403

__all__ = (
    asking.__all__
    + elementwise.__all__
    + named.__all__
    + cast.__all__
    + complexes.__all__
    + copies.__all__
    + copying.__all__
    + parts.__all__
)
