"""Pruning: leaving out some of a module's weights, by a mask.

A pruned `weight` is `weight_orig · weight_mask`, computed before each `forward`.
"""

from .base_method import BasePruningMethod, PruningContainer
from .functions import *  # noqa: F403
from .functions import __all__ as _functions
from .pruning_methods import *  # noqa: F403
from .pruning_methods import __all__ as _methods

__all__ = ["BasePruningMethod", "PruningContainer", *_functions, *_methods]
