"""Data sets, samplers and loaders.

- `dataset.py`: base classes of data sets, `TensorDataset`, `Subset` ...; there are
  none to download. `sampler.py`: the order of items. `distributed.py`: its
  division among several processes. `collate.py`: combines samples into a batch.
- `dataloader.py`: `DataLoader`. `iterators.py`: one epoch, which draws the workers'
  base seed and pins batches. `fetch.py`: fetches a batch by its indices.
- `worker_pool.py`: the loader's side of workers: starts them, assigns work, detects
  dead ones. `worker.py`: the worker process, and its seeds. `messages.py`: the messages
  between them.
- `argument_checks.py`: rejects arguments that contradict each other.
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
