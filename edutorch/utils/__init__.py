"""Tools around training: data sets and loaders, checkpointing."""

from . import checkpoint, data

__all__ = ["checkpoint", "data"]
