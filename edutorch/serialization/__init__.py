"""Saving and loading in PyTorch's file format; each library reads the other's files.

Begin with `checkpoint.py`: `save` and `load`, and the records that a file consists of.

- `archive.py`: writes and reads the zip archive. `archive_records.py`: its records
  `data/0`, `data/1` ... as memory, for `load`.
- `pickler.py`: writes objects. `storages.py`: collects the storages to save, which
  `checkpoint.py` adds to the archive, and finds those of a loaded file.
- `weights_only_unpickler.py`: reads an untrusted pickle; `unrestricted_unpickler.py`:
  reads a trusted one. `pickle_scan.py`: the names in a pickle, without loading it.
- `rebuild.py`: rebuilds tensors, and checks every part of their description.
  `nested.py`, `module_state.py`: the same for nested tensors and modules.
- `default_globals.py`: the classes and functions that every file may name.
  `allowed_globals.py`: those that the program allows in addition, and modules of which
  nothing can be allowed. `torch_names.py`: the names that they have in PyTorch.
- `locations.py`: `map_location`. `options.py`, `environment.py`: settings.
- `atomic.py`: writes a file completely or not at all.
- `errors.py`: errors of `load`. `hash_flooding.py`: rejects keys chosen to collide.
- `legacy.py`: PyTorch's format before 1.6. `legacy_tar.py`, `tar.py`: that of 0.1.
"""

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
