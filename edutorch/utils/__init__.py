"""Tools around training: data sets and loaders."""

from . import data

__all__ = ["data"]
