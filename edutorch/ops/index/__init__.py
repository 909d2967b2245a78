"""Indexing: reading and writing parts of tensors."""

from .brackets import *  # noqa: F403
from .advanced import *  # noqa: F403
