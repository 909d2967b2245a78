"""The Kullback-Leibler divergence, from formulas for pairs of distributions.

`registry` finds the formula of two types. `same` has those of two distributions of one
type, `normals` those of normal vectors, `crossed` the others.
"""

from . import crossed, normals, same  # noqa: F401 (register their formulas)
from .registry import kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]
