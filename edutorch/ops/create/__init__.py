"""Creating tensors.

- `from_data.py`: `tensor`, `as_tensor`, `from_numpy`.
- `buffers.py`: memory of others: `from_dlpack`, `frombuffer`, `from_file`.
- `filled.py`: zeros, ones, full. `like.py`: zeros_like ... `strided.py`: empty_strided.
- `ranges.py`: arange, linspace ... `triangle_indices.py`: tril_indices ...
- `factory.py`: shared by these: sizes, dtypes and devices of new tensors.
"""

from . import buffers, filled, from_data, like, ranges, strided, triangle_indices
from .buffers import *
from .filled import *
from .from_data import *
from .like import *
from .ranges import *
from .strided import *
from .triangle_indices import *

__all__ = (
    buffers.__all__
    + filled.__all__
    + triangle_indices.__all__
    + like.__all__
    + ranges.__all__
    + strided.__all__
    + from_data.__all__
)
