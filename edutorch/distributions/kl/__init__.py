"""The Kullback-Leibler divergence, from formulas for pairs of distributions.

`registry` finds the formula for two types. `same_family` holds the formulas for two
distributions of one type, `multivariate_normal` those for normal vectors, and
`cross_family` the rest.
"""

from . import (  # noqa: F401 (each registers its formulas)
    cross_family,
    multivariate_normal,
    same_family,
)
from .registry import kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]
