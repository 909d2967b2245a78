"""Indexing: reading and writing parts of tensors.

- `getitem.py`: `x[...]` and `x[...] = v`. `edutorch/tensor/indexing.py` splits an index
  into slices, which make a view (`edutorch/ops/shape/slices.py`), and index tensors and
  masks, which `advanced.py` applies to it (`Index`, `IndexPut`, and `IndexCleared`,
  which `IndexPut` has as its derivative).
- `gathering.py`: gather, index_select, take. `scattering.py`: scatter, scatter_add.
- `scatter_reductions.py`: scatter_reduce. `index_updates.py`: index_add,
  index_copy, index_fill. `flat_updates.py`: put.
- `masked.py`: masked_select, masked_fill. `nonzero_elements.py`: nonzero, argwhere.
- `unravel.py`: unravel_index. `index_errors.py`: PyTorch's messages for bad indices.
"""

from . import (
    advanced,
    flat_updates,
    gathering,
    getitem,
    index_updates,
    masked,
    nonzero_elements,
    scatter_reductions,
    scattering,
    unravel,
)
from .advanced import *
from .flat_updates import *
from .gathering import *
from .getitem import *
from .index_updates import *
from .masked import *
from .nonzero_elements import *
from .scatter_reductions import *
from .scattering import *
from .unravel import *

__all__ = (
    advanced.__all__
    + gathering.__all__
    + getitem.__all__
    + index_updates.__all__
    + nonzero_elements.__all__
    + masked.__all__
    + flat_updates.__all__
    + scatter_reductions.__all__
    + scattering.__all__
    + unravel.__all__
)
