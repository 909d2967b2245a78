"""The Kullback-Leibler divergence, from formulas for pairs of distributions.

- `registry.py`: finds the formula for two types.
- `same_family.py`: two distributions of one type. `multivariate_normal.py`: normal
  vectors. `cross_family.py`: all other pairs.
"""

from . import (  # noqa: F401 (each registers its formulas)
    cross_family,
    multivariate_normal,
    same_family,
)
from .registry import kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]
