"""Checkpoints of several ranks: each writes its part, and any number of ranks reads it.

    import edutorch.distributed.checkpoint as dcp

    state = {"model": model.state_dict(), "step": 7}
    dcp.save(state, checkpoint_id="step7")
    dcp.load(state, checkpoint_id="step7")  # into the tensors of `state`

A checkpoint is a folder: `metadata.json` says where each tensor is, and each rank has a
file of tensors. Reading it runs no code. The folder gets its name once it is complete.

- `save_load.py`: `save` and `load`.
- `flattening.py`: nested state dicts as flat ones, and back.
- `planning.py`: which rank writes what. `flat_shard.py`: a range of a flattened tensor.
- `file_system.py`: reads and writes the folder.
- `collective_steps.py`: steps that fail on all ranks or on none.
- `state_dict.py`: state dicts of sharded models and their optimizers.
- `format_utils.py`: a checkpoint as a single file, and back.
"""

from .collective_steps import CheckpointException
from .file_system import FileSystemReader, FileSystemWriter
from .flat_shard import FlatShard
from .save_load import load, save

__all__ = [
    "CheckpointException", "FileSystemReader", "FileSystemWriter", "FlatShard", "load",
    "save",
]  # fmt: skip
