"""Operations that work element by element."""

from . import (
    arithmetic,
    blend,
    division,
    exponential,
    formulas,
    hyperbolic,
    integers,
    limits,
    magnitude,
    minmax,
    powers,
    roots,
    rounding,
    special_functions,
    trigonometric,
)
from .arithmetic import *  # noqa: F403
from .blend import *  # noqa: F403
from .division import *  # noqa: F403
from .exponential import *  # noqa: F403
from .formulas import *  # noqa: F403
from .hyperbolic import *  # noqa: F403
from .integers import *  # noqa: F403
from .limits import *  # noqa: F403
from .magnitude import *  # noqa: F403
from .minmax import *  # noqa: F403
from .modified_bessel import i0
from .powers import *  # noqa: F403
from .roots import *  # noqa: F403
from .rounding import *  # noqa: F403
from .special_functions import *  # noqa: F403
from .statistics import gammainc as igamma
from .statistics import gammaincc as igammac
from .trigonometric import *  # noqa: F403

__all__ = (
    arithmetic.__all__
    + blend.__all__
    + division.__all__
    + exponential.__all__
    + formulas.__all__
    + hyperbolic.__all__
    + integers.__all__
    + limits.__all__
    + magnitude.__all__
    + minmax.__all__
    + powers.__all__
    + roots.__all__
    + rounding.__all__
    + special_functions.__all__
    + trigonometric.__all__
    + ["i0", "igamma", "igammac"]
)
