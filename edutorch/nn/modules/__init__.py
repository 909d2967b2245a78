"""The layers, one file for each family, with PyTorch's file names where it has them.

`Module`, in three files:

- `module.py`: parameters, buffers and submodules; calling a module; its hooks.
- `module_traversal.py`: `modules`, `named_parameters`, `apply`, `to` ...
- `module_state.py`: `state_dict` and `load_state_dict`.

Containers and helpers:

- `container.py`, `parameter_containers.py`: `Sequential`, `ModuleList`;
  `ParameterList`.
- `lazy.py`, `lazy_layers.py`: layers that infer their shapes at the first call.
- `utils.py`: expands a number to one per dimension; removes a prefix, as that of
  DataParallel, from the names of a state.

Layers:

- `linear.py`, `flatten.py`, `sparse.py` (embeddings), `dropout.py`, `distance.py`
- `activation.py`, `smooth_activations.py`, `softmax.py`
- `conv.py`, `fold.py`, `padding.py`, `pooling.py`, `unpooling.py`, `pixelshuffle.py`,
  `upsampling.py`
- `batchnorm.py` (also `SyncBatchNorm`, whose function, across processes, is in
  `sync_batchnorm.py`), `instancenorm.py`; `norm_base.py`: their parameters and running
  statistics. `normalization.py`: layer, group and RMS norm
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
from .activation import *
from .adaptive import *
from .batchnorm import *
from .container import *
from .conv import *
from .distance import *
from .dropout import *
from .flatten import *
from .fold import *
from .instancenorm import *
from .lazy import *
from .lazy_layers import *
from .linear import *
from .linear_cross_entropy import *
from .loss import *
from .module import Module
from .normalization import *
from .padding import *
from .parameter_containers import *
from .pixelshuffle import *
from .pooling import *
from .rnn import *
from .sparse import *
from .transformer import *
from .transformer_layers import *
from .upsampling import *

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
