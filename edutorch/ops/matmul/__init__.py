"""Products of matrices and vectors."""

from . import products
from .linear import linear as linear  # public in `nn.functional` only
from .products import *  # noqa: F403

__all__ = [*products.__all__]
