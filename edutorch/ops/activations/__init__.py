"""Activations, with the signatures of `nn.functional`."""

from . import gated, rectifiers, shrinking, smooth
from .gated import *  # noqa: F403
from .rectifiers import *  # noqa: F403
from .shrinking import *  # noqa: F403
from .smooth import *  # noqa: F403

__all__ = gated.__all__ + rectifiers.__all__ + shrinking.__all__ + smooth.__all__
