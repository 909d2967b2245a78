"""Operations that work element by element.

- `arithmetic.py`, `division.py`, `powers.py`, `roots.py`: + - * / // % ** sqrt.
- `with_numbers.py`: + - * / with numbers inside composed functions.
- `exponential.py`, `trigonometric.py`, `hyperbolic.py` (and the sigmoid).
- `abs_sign.py`, `rounding.py`, `clamping.py`, `minmax.py`, `ternary.py` (where,
  addcmul), `interpolation.py` (lerp).
- `miscellaneous.py`: gcd, nextafter, nan_to_num ... `conjugate.py`: conjugates.
- `special_functions.py`, `special_probability.py`: error and gamma functions; normal
  distribution, entropy. `multivariate_gamma.py`: mvlgamma.
- `bessel.py`, `bessel_corrections.py`, `modified_bessel.py`: Bessel functions.
- `chebyshev.py`, `orthogonal_polynomials.py`, `polynomial_recurrences.py`: polynomials.
"""

from . import (
    abs_sign,
    arithmetic,
    clamping,
    conjugate,
    division,
    exponential,
    hyperbolic,
    interpolation,
    minmax,
    miscellaneous,
    multivariate_gamma,
    powers,
    roots,
    rounding,
    special_functions,
    ternary,
    trigonometric,
)
from .abs_sign import *
from .arithmetic import *
from .clamping import *
from .conjugate import *
from .division import *
from .exponential import *
from .hyperbolic import *
from .interpolation import *
from .minmax import *
from .miscellaneous import *
from .modified_bessel import i0
from .multivariate_gamma import *
from .powers import *
from .roots import *
from .rounding import *
from .special_functions import *
from .special_probability import gammainc as igamma
from .special_probability import gammaincc as igammac
from .ternary import *
from .trigonometric import *

__all__ = (
    arithmetic.__all__
    + ternary.__all__
    + interpolation.__all__
    + division.__all__
    + exponential.__all__
    + conjugate.__all__
    + hyperbolic.__all__
    + miscellaneous.__all__
    + clamping.__all__
    + abs_sign.__all__
    + minmax.__all__
    + powers.__all__
    + roots.__all__
    + rounding.__all__
    + special_functions.__all__
    + multivariate_gamma.__all__
    + trigonometric.__all__
    + ["i0", "igamma", "igammac"]
)
