"""Operations that reduce dimensions."""

from .extremes import *  # noqa: F403
from .means import *  # noqa: F403
from .middle import *  # noqa: F403
from .norms import *  # noqa: F403
from .sums import *  # noqa: F403
from .totals import *  # noqa: F403
from .truth import *  # noqa: F403
