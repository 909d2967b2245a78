"""Operations on the shape of a tensor."""

from .axes import *  # noqa: F403
from .joining import *  # noqa: F403
from .slices import *  # noqa: F403
from .splitting import *  # noqa: F403
from .squeezing import *  # noqa: F403
from .views import *  # noqa: F403
