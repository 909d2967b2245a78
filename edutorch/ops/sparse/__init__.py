"""Sparse tensors: making them, converting them, products, sums, softmax."""

from . import asking as asking  # attaches methods
from . import convert as convert
from . import create, products
from . import layouts as layouts
from .create import *  # noqa: F403
from .products import *  # noqa: F403

__all__ = create.__all__ + products.__all__
