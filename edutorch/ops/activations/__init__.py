"""Activations, with the signatures of `nn.functional`."""

from .gated import *  # noqa: F403
from .rectifiers import *  # noqa: F403
from .shrinking import *  # noqa: F403
from .smooth import *  # noqa: F403
