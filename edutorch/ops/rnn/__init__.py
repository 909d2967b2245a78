"""Recurrent cells and layers: plain, LSTM and GRU."""

from .cells import *  # noqa: F403
from .cells import __all__ as _cells
from .layers import *  # noqa: F403
from .layers import __all__ as _layers

__all__ = [*_cells, *_layers]
