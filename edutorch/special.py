"""Special functions, as `torch.special`."""

from __future__ import annotations

from .ops.pointwise.bessel import (
    airy_ai,
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    spherical_bessel_j0,
)
from .ops.pointwise.chebyshev import (
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
    shifted_chebyshev_polynomial_t,
    shifted_chebyshev_polynomial_u,
    shifted_chebyshev_polynomial_v,
    shifted_chebyshev_polynomial_w,
)
from .ops.pointwise.exponential import exp2, expm1, log1p
from .ops.pointwise.hyperbolic import sigmoid as expit
from .ops.pointwise.modified_bessel import (
    i0,
    i0e,
    i1,
    i1e,
    modified_bessel_i0,
    modified_bessel_i1,
    modified_bessel_k0,
    modified_bessel_k1,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
)
from .ops.pointwise.multivariate_gamma import mvlgamma as multigammaln
from .ops.pointwise.orthogonal_polynomials import (
    hermite_polynomial_h,
    hermite_polynomial_he,
    laguerre_polynomial_l,
    legendre_polynomial_p,
)
from .ops.pointwise.rounding import round
from .ops.pointwise.special_functions import (
    digamma,
    erf,
    erfc,
    erfinv,
    logit,
    polygamma,
    xlogy,
)
from .ops.pointwise.special_functions import lgamma as gammaln
from .ops.pointwise.special_probability import (
    entr,
    erfcx,
    gammainc,
    gammaincc,
    log_ndtr,
    ndtr,
    ndtri,
    xlog1py,
    zeta,
)
from .ops.pointwise.trigonometric import sinc
from .ops.reduce.prod_logsumexp import logsumexp
from .ops.softmax import log_softmax, softmax

psi = digamma

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]
