"""Making tensors."""

from . import buffers, filled, indices, likes, ranges, strided, values
from .buffers import *  # noqa: F403
from .filled import *  # noqa: F403
from .indices import *  # noqa: F403
from .likes import *  # noqa: F403
from .ranges import *  # noqa: F403
from .strided import *  # noqa: F403
from .values import *  # noqa: F403

__all__ = (
    buffers.__all__
    + filled.__all__
    + indices.__all__
    + likes.__all__
    + ranges.__all__
    + strided.__all__
    + values.__all__
)
