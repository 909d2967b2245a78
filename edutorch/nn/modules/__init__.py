"""The layers, one file for each family, with PyTorch's file names where it has them.

`Module`, in three files:

- `module.py`: parameters, buffers and submodules; calling a module; its hooks.
- `module_traversal.py`: `modules`, `named_parameters`, `apply`, `to` ...
- `module_state.py`: `state_dict` and `load_state_dict`.

Containers and helpers:

- `container.py`, `parameter_containers.py`: `Sequential`, `ModuleList`;
  `ParameterList`.
- `lazy.py`, `lazy_layers.py`: layers that infer their shapes at the first call.
- `utils.py`: expands a number to one per dimension.

Layers:

- `linear.py`, `flatten.py`, `sparse.py` (embeddings), `dropout.py`, `distance.py`
- `activation.py`, `smooth_activations.py`, `softmax.py`
- `conv.py`, `fold.py`, `padding.py`, `pooling.py`, `unpooling.py`, `pixelshuffle.py`,
  `upsampling.py`
- `sync_batchnorm.py`: `SyncBatchNorm`, across processes.
- `batchnorm.py`, `instancenorm.py`, with `norm_base.py` (their parameters and running
  statistics); `normalization.py`: layer, group and RMS norm
- `rnn.py`, `rnn_base.py`, `rnn_cells.py`
- `multihead.py`, `transformer.py`, `transformer_layers.py`

Losses:

- `loss.py`, `margin_losses.py`, `loss_base.py`
- `adaptive.py`: adaptive softmax. `linear_cross_entropy.py`: a layer with its loss.
"""

from . import (
    activation,
    adaptive,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    lazy,
    lazy_layers,
    linear,
    linear_cross_entropy,
    loss,
    loss_base,
    margin_losses,
    module,
    normalization,
    padding,
    parameter_containers,
    pixelshuffle,
    pooling,
    rnn,
    smooth_activations,
    softmax,
    sparse,
    transformer,
    transformer_layers,
    unpooling,
    upsampling,
    utils,
)
from .activation import *  # noqa: F403
from .adaptive import *  # noqa: F403
from .batchnorm import *  # noqa: F403
from .container import *  # noqa: F403
from .conv import *  # noqa: F403
from .distance import *  # noqa: F403
from .dropout import *  # noqa: F403
from .flatten import *  # noqa: F403
from .fold import *  # noqa: F403
from .instancenorm import *  # noqa: F403
from .lazy import *  # noqa: F403
from .lazy_layers import *  # noqa: F403
from .linear import *  # noqa: F403
from .linear_cross_entropy import *  # noqa: F403
from .loss import *  # noqa: F403
from .module import Module
from .normalization import *  # noqa: F403
from .padding import *  # noqa: F403
from .parameter_containers import *  # noqa: F403
from .pixelshuffle import *  # noqa: F403
from .pooling import *  # noqa: F403
from .rnn import *  # noqa: F403
from .sparse import *  # noqa: F403
from .transformer import *  # noqa: F403
from .transformer_layers import *  # noqa: F403
from .upsampling import *  # noqa: F403

__all__ = [
    "Module",
    *activation.__all__,
    *adaptive.__all__,
    *batchnorm.__all__,
    *container.__all__,
    *conv.__all__,
    *distance.__all__,
    *dropout.__all__,
    *flatten.__all__,
    *fold.__all__,
    *instancenorm.__all__,
    *lazy.__all__,
    *lazy_layers.__all__,
    *linear.__all__,
    *linear_cross_entropy.__all__,
    *loss.__all__,
    *normalization.__all__,
    *padding.__all__,
    *parameter_containers.__all__,
    *pixelshuffle.__all__,
    *pooling.__all__,
    *rnn.__all__,
    *sparse.__all__,
    *transformer.__all__,
    *transformer_layers.__all__,
    *upsampling.__all__,
]
