"""Comparisons, logic and bitwise operations.

- `relational.py`: ==, <, equal ... `logical.py`: and, or, not. `bitwise.py`: bits.
- `predicates.py`: isnan, isclose, allclose ...
"""

from . import bitwise, logical, predicates, relational
from .bitwise import *  # noqa: F403
from .logical import *  # noqa: F403
from .predicates import *  # noqa: F403
from .relational import *  # noqa: F403

__all__ = bitwise.__all__ + predicates.__all__ + logical.__all__ + relational.__all__
