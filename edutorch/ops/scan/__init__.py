"""Running sums, products and extremes; differences, slopes and integrals.

- `cumulative.py`: cumsum, cumprod, cummax ... `differences.py`: diff, trapezoid.
- `numerical_gradient.py`: gradient.
"""

from . import cumulative, differences, numerical_gradient
from .cumulative import *
from .differences import *
from .numerical_gradient import *

__all__ = cumulative.__all__ + differences.__all__ + numerical_gradient.__all__
