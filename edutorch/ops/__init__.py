"""All operations: a class for each, with its public function directly below.

For an example of an op, read `pointwise/arithmetic.py`. The families:

- elementwise: `pointwise/`, `compare/`, `activations/`
- reductions and scans: `reduce/`, `scan/`, `softmax.py`
- products: `matmul/` (with `cdist`), `linalg/`, `distance.py` (`pdist`,
  `cosine_similarity`)
- shapes and parts: `shape/`, `index/`, `sort/`
- creating and converting tensors: `create/`, `convert/`, `sampling/`
- layers: `conv/`, `pool/`, `norm/`, `rnn/`, `attention/`, `embedding.py`,
  `embedding_bag.py`, `embedding_checks.py`, `one_hot.py`, `dropout.py`, `vision/`;
  `window_op.py`: shared by pooling, unfold and fold
- `loss/`
- `spectral/`: Fourier transforms. `sparse/`: sparse tensors.
- `aten/`: aliases of the functions of layers. `control_flow.py`: `cond`.

Shared by the ops:

- `promotion.py`: operands of different dtypes; the rules are in `edutorch/dtypes.py`.
- `registration.py`: registers a function as method, operator and in-place method.
- `dims.py`, `int_arguments.py`, `number_ranges.py`: normalise dimensions, sizes and
  numbers passed by users.
- `argument_checks.py`: checks of arguments. `signatures.py`: the names of public
  functions and arguments in messages.
- `argument_errors.py`, `argument_parser.py` (with `parser_signatures.txt`),
  `argument_overflow.py`, `python_functions.py` (with `python_functions.txt`): the
  errors of PyTorch's argument parser; `deprecated_overloads.py`: arguments in the order
  of old versions.
- `out_argument.py`: writes to `out=`. `out_resizing.py`: resizes it. `out_history.py`:
  histories that end there. `out_rules.py`, `out_devices.py`: which dtypes and devices
  it may have, and PyTorch's messages for others. `out_refusals.py`: what is refused of
  it before an op that PyTorch has no kernel for.
- `inplace.py`: the functions `torch.exp_(x)` ...; `registration.py` makes the methods,
  and `edutorch/autograd/inplace.py` runs them. `return_types.py`: named results.
"""

import warnings

# Each family lists its public names in `__all__`; they are gathered here.
from . import (
    aten,
    compare,
    convert,
    create,
    index,
    linalg,
    pointwise,
    reduce,
    rnn,
    sampling,
    scan,
    shape,
    spectral,
)
from . import (
    matmul as products,
)
from . import (
    sort as sorting,
)
from . import (
    sparse as sparses,
)
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
    threshold_,
)
from .aten import *
from .compare import *
from .control_flow import cond
from .conv import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from .convert import *
from .create import *
from .distance import cosine_similarity, pairwise_distance, pdist
from .index import *
from .linalg import *
from .matmul import *
from .norm import group_norm, layer_norm, rms_norm
from .norm.weight import norm_except_dim
from .pointwise import *
from .pool import (
    adaptive_avg_pool1d,
    avg_pool1d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool3d,
)
from .reduce import *
from .rnn import *
from .sampling import *
from .scan import *
from .shape import *
from .softmax import log_softmax, softmax
from .sort import *
from .sparse import *
from .spectral import *
from .vision import (
    affine_grid_generator,
    channel_shuffle,
    grid_sampler,
    grid_sampler_2d,
    grid_sampler_3d,
    pixel_shuffle,
    pixel_unshuffle,
)

from . import inplace  # isort: skip  # in-place variants of the ops above
from .inplace import *  # isort: skip
from .linalg.norms import norm  # isort: skip  # the function, not the folder `norm`

__all__ = (
    compare.__all__
    + convert.__all__
    + create.__all__
    + aten.__all__
    + index.__all__
    + inplace.__all__
    + linalg.__all__
    + products.__all__
    + pointwise.__all__
    + reduce.__all__
    + rnn.__all__
    + sampling.__all__
    + scan.__all__
    + shape.__all__
    + sorting.__all__
    + sparses.__all__
    + spectral.__all__
    + [
        "adaptive_avg_pool1d",
        "affine_grid_generator",
        "avg_pool1d",
        "celu",
        "celu_",
        "cond",
        "channel_shuffle",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "cosine_similarity",
        "grid_sampler",
        "grid_sampler_2d",
        "grid_sampler_3d",
        "group_norm",
        "hardshrink",
        "layer_norm",
        "log_softmax",
        "max_pool1d",
        "max_pool1d_with_indices",
        "max_pool2d",
        "max_pool3d",
        "norm",
        "norm_except_dim",
        "pairwise_distance",
        "pdist",
        "pixel_shuffle",
        "pixel_unshuffle",
        "prelu",
        "relu",
        "relu_",
        "rms_norm",
        "rrelu",
        "rrelu_",
        "selu",
        "selu_",
        "softmax",
        "threshold_",
    ]
)

# As in PyTorch, 1 / 0 is inf and log(-1) is nan without a warning. Only what arises in
# this package is silenced: NumPy still warns about its users' own arithmetic. The
# filter is set on import, since the alternatives cost more:
# `np.errstate` around a forward takes 0.9 us, as long as the whole of a small `relu`,
# and `np.seterr` would silence the user's arithmetic, too.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"edutorch\.")
