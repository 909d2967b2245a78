"""Checkpoints of several ranks: each writes its part, and any number of ranks reads it.

    import edutorch.distributed.checkpoint as dcp

    state = {"model": model.state_dict(), "step": 7}
    dcp.save(state, checkpoint_id="step7")
    dcp.load(state, checkpoint_id="step7")  # into the tensors of `state`

A checkpoint is a folder: `metadata.json` says where each tensor is, and each rank has a
file of tensors. Reading it runs no code. The folder has its name once it is whole.

- `state.py`: `save` and `load`.
- `entries.py`: nested state dicts as flat ones, and who writes what.
- `flat_shard.py`: a range of a flattened tensor that one rank has.
- `file_system.py`: the folder. `together.py`: steps that fail on all ranks or none.
- `state_dict.py`: state dicts of sharded models and their optimizers.
- `format_utils.py`: a checkpoint as a single file, and back.
"""

from .file_system import FileSystemReader, FileSystemWriter
from .flat_shard import FlatShard
from .state import load, save
from .together import CheckpointException

__all__ = [
    "CheckpointException", "FileSystemReader", "FileSystemWriter", "FlatShard", "load",
    "save",
]  # fmt: skip
