"""Operations on the shape of a tensor.

Views:

- `views.py`: view, reshape, flatten. `reshape_checks.py`: checks of the new shape.
- `transposing.py`: transpose, permute, movedim.
- `squeezing.py`: squeeze, unsqueeze. `slices.py`: narrow, select, and the view
  made by `x[1:3]`. `diagonals.py`.
- `splitting.py`: split, chunk, unbind. `tensor_splits.py`: tensor_split, hsplit,
  vsplit, dsplit. `strides.py`: as_strided.
- `inplace.py`: transpose_, squeeze_ ... `view_copies.py`: view_copy ...
- `view_scatter.py`: select_scatter, slice_scatter ...

Copies:

- `joining.py`: cat, stack. `stacking.py`: hstack, vstack, block_diag.
- `repeating.py`: repeat, tile. `flip_roll.py`: flip, roll, rot90.
- `pad.py`: `nn.functional.pad`.
- `broadcasting.py`: expand, broadcast_tensors. `grids.py`: meshgrid, cartesian_prod.
"""

from . import (
    broadcasting,
    diagonals,
    flip_roll,
    grids,
    inplace,
    joining,
    repeating,
    slices,
    splitting,
    squeezing,
    stacking,
    strides,
    tensor_splits,
    transposing,
    view_copies,
    view_scatter,
    views,
)
from .broadcasting import *
from .diagonals import *
from .flip_roll import *
from .grids import *
from .inplace import *
from .joining import *
from .pad import constant_pad_nd
from .repeating import *
from .slices import *
from .splitting import *
from .squeezing import *
from .stacking import *
from .strides import *
from .tensor_splits import *
from .transposing import *
from .view_copies import *
from .view_scatter import *
from .views import *

__all__ = [
    "constant_pad_nd",  # pad itself is in nn.functional
    *transposing.__all__,
    *broadcasting.__all__,
    *view_copies.__all__,
    *diagonals.__all__,
    *grids.__all__,
    *inplace.__all__,
    *joining.__all__,
    *view_scatter.__all__,
    *repeating.__all__,
    *tensor_splits.__all__,
    *slices.__all__,
    *splitting.__all__,
    *squeezing.__all__,
    *stacking.__all__,
    *strides.__all__,
    *flip_roll.__all__,
    *views.__all__,
]
