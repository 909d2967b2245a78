"""Running sums, products and extremes; differences, slopes and integrals.

- `cumulative.py`: cumsum, cumprod, cummax ... `differences.py`: diff, trapezoid.
- `numerical_gradient.py`: gradient.
"""

from . import cumulative, differences, numerical_gradient
from .cumulative import *  # noqa: F403
from .differences import *  # noqa: F403
from .numerical_gradient import *  # noqa: F403

__all__ = cumulative.__all__ + differences.__all__ + numerical_gradient.__all__
