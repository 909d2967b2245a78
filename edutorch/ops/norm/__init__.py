"""Normalisation, with the signatures of `nn.functional`.

- `batch.py` (and its running statistics), `layer.py` (and RMS norm), `group.py` (and
  instance norm), `weight.py`.
- `functional_group.py`: `group_norm` of `nn.functional`.
- `normalize_and_lrn.py`, `cross_map_lrn.py`: normalize, local response norm.
- `gradient_formulas.py`: their gradients, step by step. `saved_statistics.py`: the mean
  and variance saved for them. `checks.py`: argument checks.
"""

from .batch import batch_norm, batch_norm_of_any_eps
from .group import group_norm, instance_norm
from .layer import layer_norm, rms_norm
from .normalize_and_lrn import local_response_norm, normalize

__all__ = [
    "batch_norm",
    "batch_norm_of_any_eps",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "local_response_norm",
    "normalize",
    "rms_norm",
]
