"""Pruning: removes some of a module's weights by a mask.

A pruned `weight` is `weight_orig · weight_mask`, computed before each `forward`.

- `functions.py`: the public functions.
- `pruning_methods.py`: the methods: at random, by size, by a mask; single entries or
  channels. `base_method.py`: their base class.
"""

from .base_method import BasePruningMethod, PruningContainer
from .functions import *
from .functions import __all__ as _functions
from .pruning_methods import *
from .pruning_methods import __all__ as _methods

__all__ = ["BasePruningMethod", "PruningContainer", *_functions, *_methods]
