"""Every operation: one class for each, its public function directly below it."""

# Each family lists its public names in `__all__`; they are gathered here.
from .activations import (
    celu,
    celu_,
    relu,
    relu_,
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
from .shape import *  # noqa: F403
