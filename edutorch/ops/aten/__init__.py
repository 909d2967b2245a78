"""Functions of `torch` named like those of `nn.functional`, with other arguments.

- `layers.py`, `losses.py`, `dropout.py`: layers, losses and dropout.
- `native.py`: normalisation and dropout that also return the values needed by their
  gradients.
"""

from .dropout import *
from .dropout import __all__ as _dropouts
from .layers import *
from .layers import __all__ as _layers
from .losses import *
from .losses import __all__ as _losses
from .native import *
from .native import __all__ as _native

__all__ = [*_dropouts, *_layers, *_losses, *_native]
