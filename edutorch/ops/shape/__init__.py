"""Operations on the shape of a tensor."""

from .axes import *  # noqa: F403
from .broadcasting import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .grids import *  # noqa: F403
from .inplace import *  # noqa: F403
from .joining import *  # noqa: F403
from .placing import *  # noqa: F403
from .repeating import *  # noqa: F403
from .sections import *  # noqa: F403
from .slices import *  # noqa: F403
from .splitting import *  # noqa: F403
from .squeezing import *  # noqa: F403
from .stacking import *  # noqa: F403
from .strides import *  # noqa: F403
from .turning import *  # noqa: F403
from .views import *  # noqa: F403
