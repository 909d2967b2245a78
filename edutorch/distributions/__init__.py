"""Probability distributions: samples, densities, entropies, divergences.

A batch of distributions is one object, whose parameters are tensors. `rsample` gives
samples with gradients of the parameters; `log_prob` gives what policy gradients need.
"""

from . import constraints, kl, utils
from .bernoulli import Bernoulli
from .binomial import Binomial
from .categorical import Categorical
from .distribution import Distribution
from .exponential import Exponential
from .geometric import Geometric
from .independent import Independent
from .kl import kl_divergence, register_kl
from .laplace import Laplace
from .multinomial import Multinomial
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from .poisson import Poisson
from .uniform import Uniform

__all__ = [
    "Bernoulli", "Binomial", "Categorical", "Distribution", "Exponential", "Geometric",
    "Independent", "Laplace", "Multinomial", "MultivariateNormal", "Normal",
    "OneHotCategorical", "OneHotCategoricalStraightThrough", "Poisson", "Uniform",
    "constraints", "kl", "kl_divergence", "register_kl", "utils",
]  # fmt: skip
