"""Tools around training: data sets and loaders, checkpointing."""

from . import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]
