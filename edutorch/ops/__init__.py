"""Every operation: one class for each, its public function directly below it."""

import warnings

# Each family lists its public names in `__all__`; they are gathered here.
from .activations import (
    celu,
    celu_,
    hardshrink,
    prelu,
    relu,
    relu_,
    rrelu,
    rrelu_,
    selu,
    selu_,
    threshold,
    threshold_,
)
from .compare import *  # noqa: F403
from .convert import *  # noqa: F403
from .create import *  # noqa: F403
from .index import *  # noqa: F403
from .matmul import *  # noqa: F403
from .pointwise import *  # noqa: F403
from .reduce import *  # noqa: F403
from .sampling import *  # noqa: F403
from .scan import *  # noqa: F403
from .shape import *  # noqa: F403
from .sort import *  # noqa: F403

# As in PyTorch, 1 / 0 is inf and log(-1) is nan without a warning. Only what arises in
# this package is silenced: NumPy goes on warning about its users' own arithmetic.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"edutorch\.")
