"""Probability distributions: samples, densities, entropies, divergences.

A batch of distributions is one object, whose parameters are tensors. `rsample` draws
samples that are differentiable in the parameters; `log_prob` is what policy gradients
need. Begin with `distribution.py`, then `normal.py`.

Shared by distributions:

- `distribution.py`: the base class. `exp_family.py`: exponential families.
- `utils.py`: broadcasting of parameters, probabilities and log-odds.
- `location_scale.py`, `half_distribution.py`, `categorical_based.py`: base classes of
  a few.
- `constraints/`: sets of valid values. `constraint_registry.py`: the transform from the
  real numbers to a constraint (`biject_to`, `transform_to`).
- `transforms/`: invertible functions. `transformed_distribution.py`: distributions of
  their values.
- `kl/`: divergences. `independent.py`: batch dimensions as event dimensions.
  `mixture_same_family.py`: mixtures.

One distribution per file, for numbers:

- `beta.py`, `cauchy.py`, `chi2.py`, `continuous_bernoulli.py`, `exponential.py`,
  `fishersnedecor.py`, `gamma.py`, `generalized_pareto.py`, `gumbel.py`,
  `half_cauchy.py`, `half_normal.py`, `inverse_gamma.py`, `kumaraswamy.py`,
  `laplace.py`, `log_normal.py`, `normal.py`, `pareto.py`, `studentT.py`, `uniform.py`,
  `von_mises.py`, `weibull.py`, `relaxed_bernoulli.py`
- discrete: `bernoulli.py`, `binomial.py`, `categorical.py`, `geometric.py`,
  `negative_binomial.py`, `poisson.py`
- for vectors and matrices: `dirichlet.py`, `lkj_cholesky.py`, `logistic_normal.py`,
  `lowrank_multivariate_normal.py`, `multinomial.py`, `multivariate_normal.py`,
  `one_hot_categorical.py`, `relaxed_categorical.py`, `wishart.py`
"""

from . import constraint_registry, constraints, kl, transforms, utils
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .chi2 import Chi2
from .constraint_registry import biject_to, transform_to
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .exponential import Exponential
from .fishersnedecor import FisherSnedecor
from .gamma import Gamma
from .generalized_pareto import GeneralizedPareto
from .geometric import Geometric
from .gumbel import Gumbel
from .half_cauchy import HalfCauchy
from .half_normal import HalfNormal
from .independent import Independent
from .inverse_gamma import InverseGamma
from .kl import kl_divergence, register_kl
from .kumaraswamy import Kumaraswamy
from .laplace import Laplace
from .lkj_cholesky import LKJCholesky
from .log_normal import LogNormal
from .logistic_normal import LogisticNormal
from .lowrank_multivariate_normal import LowRankMultivariateNormal
from .mixture_same_family import MixtureSameFamily
from .multinomial import Multinomial
from .multivariate_normal import MultivariateNormal
from .negative_binomial import NegativeBinomial
from .normal import Normal
from .one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from .pareto import Pareto
from .poisson import Poisson
from .relaxed_bernoulli import RelaxedBernoulli
from .relaxed_categorical import RelaxedOneHotCategorical
from .studentT import StudentT
from .transformed_distribution import TransformedDistribution
from .transforms import *
from .transforms import __all__ as _transforms
from .uniform import Uniform
from .von_mises import VonMises
from .weibull import Weibull
from .wishart import Wishart

__all__ = [
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2",
    "ContinuousBernoulli", "Dirichlet", "Distribution", "Exponential",
    "ExponentialFamily", "FisherSnedecor", "Gamma", "GeneralizedPareto", "Geometric",
    "Gumbel", "HalfCauchy", "HalfNormal", "Independent", "InverseGamma",
    "Kumaraswamy", "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal",
    "LowRankMultivariateNormal", "MixtureSameFamily", "Multinomial",
    "MultivariateNormal", "NegativeBinomial", "Normal", "OneHotCategorical",
    "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "RelaxedBernoulli",
    "RelaxedOneHotCategorical", "StudentT", "TransformedDistribution", "Uniform",
    "VonMises", "Weibull", "Wishart", "biject_to", "constraint_registry",
    "constraints", "kl", "kl_divergence", "register_kl", "transform_to", "transforms",
    "utils", *_transforms,
]  # fmt: skip
