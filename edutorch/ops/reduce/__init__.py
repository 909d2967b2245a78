"""Operations that reduce dimensions.

- `sums.py`: sum, nansum. `mean_var.py`: mean, var, std; `variance_with_mean.py`:
  var_mean, std_mean. `prod_logsumexp.py`: prod, logsumexp.
- `min_max.py`, `argmin_argmax.py`, `median_mode.py`; `selection.py`: picks the
  elements that these select.
- `all_any.py`: all, any, count_nonzero. `norms.py`: vector norms, dist,
  renorm; `norm` and matrix norms are in `edutorch/ops/linalg/norms.py`.
- `segments.py`: segment_reduce. `hashing.py`: hash_tensor.
"""

from . import (
    all_any,
    argmin_argmax,
    hashing,
    mean_var,
    median_mode,
    min_max,
    norms,
    prod_logsumexp,
    segments,
    sums,
    variance_with_mean,
)
from .all_any import *
from .argmin_argmax import *
from .hashing import *
from .mean_var import *
from .median_mode import *
from .min_max import *
from .norms import *
from .prod_logsumexp import *
from .segments import *
from .sums import *
from .variance_with_mean import *

__all__ = (
    argmin_argmax.__all__
    + min_max.__all__
    + hashing.__all__
    + mean_var.__all__
    + median_mode.__all__
    + variance_with_mean.__all__
    + norms.__all__
    + segments.__all__
    + sums.__all__
    + prod_logsumexp.__all__
    + all_any.__all__
)
