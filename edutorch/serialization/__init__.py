"""Saving and loading in PyTorch's format: each reads the other's files."""

from .allowed_globals import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from .checkpoint import get_unsafe_globals_in_checkpoint, load, save
from .locations import default_restore_location, location_tag, register_package
from .options import (
    LoadEndianness,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
    skip_data,
)

__all__ = [
    "LoadEndianness", "add_safe_globals", "clear_safe_globals",
    "default_restore_location", "get_crc32_options", "get_default_load_endianness",
    "get_default_mmap_options", "get_safe_globals", "get_unsafe_globals_in_checkpoint",
    "load", "location_tag", "register_package", "safe_globals", "save",
    "set_crc32_options", "set_default_load_endianness", "set_default_mmap_options",
    "skip_data",
]  # fmt: skip
