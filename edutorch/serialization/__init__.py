"""Saving and loading in PyTorch's format: each reads the other's files."""

from .allowed import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from .checkpoint import get_unsafe_globals_in_checkpoint, load, save

__all__ = [
    "add_safe_globals", "clear_safe_globals", "get_safe_globals",
    "get_unsafe_globals_in_checkpoint", "load", "safe_globals", "save",
]  # fmt: skip
