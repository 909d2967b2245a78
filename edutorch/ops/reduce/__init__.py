"""Operations that reduce dimensions."""

from . import (
    arg_extremes,
    extremes,
    hashing,
    means,
    middle,
    norms,
    segments,
    sums,
    totals,
    truth,
)
from .arg_extremes import *  # noqa: F403
from .extremes import *  # noqa: F403
from .hashing import *  # noqa: F403
from .means import *  # noqa: F403
from .middle import *  # noqa: F403
from .norms import *  # noqa: F403
from .segments import *  # noqa: F403
from .sums import *  # noqa: F403
from .totals import *  # noqa: F403
from .truth import *  # noqa: F403

__all__ = (
    arg_extremes.__all__
    + extremes.__all__
    + hashing.__all__
    + means.__all__
    + middle.__all__
    + norms.__all__
    + segments.__all__
    + sums.__all__
    + totals.__all__
    + truth.__all__
)
