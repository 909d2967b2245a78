"""Normalisation, with the signatures of `nn.functional`."""

from .batch import batch_norm
from .group import group_norm, instance_norm
from .layer import layer_norm, rms_norm
from .normalize_and_lrn import local_response_norm, normalize

__all__ = [
    "batch_norm",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "local_response_norm",
    "normalize",
    "rms_norm",
]
