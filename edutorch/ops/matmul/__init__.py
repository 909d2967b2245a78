"""Products of matrices and vectors."""

from . import contractions, covariance, products, sums_of_products, vectors
from .contractions import *  # noqa: F403
from .covariance import *  # noqa: F403
from .einsum import einsum
from .linear import linear as linear  # public in `nn.functional` only
from .products import *  # noqa: F403
from .sums_of_products import *  # noqa: F403
from .vectors import *  # noqa: F403

__all__ = (
    contractions.__all__
    + covariance.__all__
    + products.__all__
    + sums_of_products.__all__
    + vectors.__all__
    + ["einsum"]
)
