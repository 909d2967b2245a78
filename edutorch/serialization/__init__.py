"""Saving and loading in PyTorch's format: each reads the other's files."""

from .checkpoint import load, save

__all__ = ["load", "save"]
