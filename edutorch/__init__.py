"""edutorch: PyTorch's API, in Python that you can watch and step through."""

from __future__ import annotations

from . import config, dtypes, events
from .tensor import Size, Tensor

from . import autograd  # isort: skip  # attaches autograd's methods to Tensor
from .ops import *  # noqa: F403
