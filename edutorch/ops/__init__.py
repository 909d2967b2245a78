"""Every operation: one class for each, its public function directly below it."""

# ruff: noqa: F401  # names are gathered here, not used
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
from .conv import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from .convert import *  # noqa: F403
from .create import *  # noqa: F403
from .distance import cosine_similarity, pairwise_distance
from .dropout import alpha_dropout, dropout, feature_alpha_dropout
from .index import *  # noqa: F403
from .matmul import *  # noqa: F403
from .norm import group_norm, layer_norm, rms_norm
from .pointwise import *  # noqa: F403
from .pool import (
    adaptive_avg_pool1d,
    avg_pool1d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool3d,
)
from .reduce import *  # noqa: F403
from .sampling import *  # noqa: F403
from .scan import *  # noqa: F403
from .shape import *  # noqa: F403
from .softmax import log_softmax, softmax
from .sort import *  # noqa: F403

# As in PyTorch, 1 / 0 is inf and log(-1) is nan without a warning. Only what arises in
# this package is silenced: NumPy goes on warning about its users' own arithmetic.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"edutorch\.")
