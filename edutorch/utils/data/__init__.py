"""Data sets, samplers and loaders.

- `dataset.py`: data sets. `sampler.py`: the order of items. `distributed.py`: the order
  shared by several processes. `collate.py`: samples become a batch.
- `dataloader.py`: `DataLoader`. `iterators.py`: one epoch, which draws the workers'
  base seed. `fetch.py`: indices to batch.
- `worker_pool.py`: the workers as the loader sees them: started, given work, found
  dead. `worker.py`: a worker's own process, and its seeds. `messages.py`: what is sent
  between them.
- `argument_checks.py`: arguments that contradict each other.
"""

from .dataloader import (
    DataLoader,
    default_collate,
    default_convert,
    get_worker_info,
)
from .dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from .distributed import DistributedSampler
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset",
    "DistributedSampler", "IterableDataset", "RandomSampler", "Sampler",
    "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler",
    "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert",
    "get_worker_info", "random_split",
]  # fmt: skip
