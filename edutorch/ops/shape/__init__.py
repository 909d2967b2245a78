"""Operations on the shape of a tensor."""

from . import (
    axes,
    broadcasting,
    copies,
    diagonals,
    grids,
    inplace,
    joining,
    placing,
    repeating,
    sections,
    slices,
    splitting,
    squeezing,
    stacking,
    strides,
    turning,
    views,
)
from .axes import *  # noqa: F403
from .broadcasting import *  # noqa: F403
from .copies import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .grids import *  # noqa: F403
from .inplace import *  # noqa: F403
from .joining import *  # noqa: F403
from .pad import constant_pad_nd
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

__all__ = [
    "constant_pad_nd",  # pad itself stands in nn.functional
    *axes.__all__,
    *broadcasting.__all__,
    *copies.__all__,
    *diagonals.__all__,
    *grids.__all__,
    *inplace.__all__,
    *joining.__all__,
    *placing.__all__,
    *repeating.__all__,
    *sections.__all__,
    *slices.__all__,
    *splitting.__all__,
    *squeezing.__all__,
    *stacking.__all__,
    *strides.__all__,
    *turning.__all__,
    *views.__all__,
]
