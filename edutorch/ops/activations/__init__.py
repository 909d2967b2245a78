"""Activations, with the signatures of `nn.functional`."""

from .rectifiers import *  # noqa: F403
from .smooth import *  # noqa: F403
