"""Comparisons, logic and bitwise operations.

- `relational.py`: ==, <, equal ... `logical.py`: and, or, not. `bitwise.py`: bits.
- `predicates.py`: isnan, isclose, allclose ...
"""

from . import bitwise, logical, predicates, relational
from .bitwise import *
from .logical import *
from .predicates import *
from .relational import *

__all__ = bitwise.__all__ + predicates.__all__ + logical.__all__ + relational.__all__
