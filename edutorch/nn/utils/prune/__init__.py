"""Pruning: leaving out some of a module's weights, by a mask.

A pruned `weight` is `weight_orig · weight_mask`, computed before each `forward`.
"""

from .functions import *  # noqa: F403
from .functions import __all__ as _functions
from .method import BasePruningMethod, PruningContainer
from .ways import *  # noqa: F403
from .ways import __all__ as _ways

__all__ = ["BasePruningMethod", "PruningContainer", *_functions, *_ways]
