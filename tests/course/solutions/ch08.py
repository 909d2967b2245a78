# %% imports
from __future__ import annotations

import numpy as np

import edutorch as torch
from edutorch.utils.data import Dataset, get_worker_info


# %% 08.1
class Part(Dataset):
    """The samples of a data set at some indices, with their own transform."""

    def __init__(self, dataset, indices, transform=None):
        ### BEGIN SOLUTION
        self.dataset, self.indices, self.transform = dataset, indices, transform
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return len(self.indices)
        ### END SOLUTION

    def __getitem__(self, i):
        ### BEGIN SOLUTION
        x, y = self.dataset[self.indices[i]]
        if self.transform is not None:
            x = self.transform(x)
        return x, y
        ### END SOLUTION


# %% 08.2
def stratified(labels, order, share):
    """Indices for training and for the test, with the same share of every class."""
    ### BEGIN SOLUTION
    members = {}
    for i in order:
        members.setdefault(labels[i], []).append(i)
    test = set()
    for indices in members.values():
        test.update(indices[: round(share * len(indices))])
    return [i for i in order if i not in test], [i for i in order if i in test]
    ### END SOLUTION


# %% 08.3
def pad_batch(samples):
    """(sequence, label) samples as padded sequences, their lengths, and labels."""
    ### BEGIN SOLUTION
    lengths = torch.tensor([len(sequence) for sequence, _ in samples])
    padded = torch.zeros(len(samples), int(lengths.max()), dtype=torch.int64)
    for row, (sequence, _) in enumerate(samples):
        padded[row, : len(sequence)] = sequence
    return padded, lengths, torch.tensor([label for _, label in samples])
    ### END SOLUTION


# %% 08.4
class ByLength:
    """Batches of indices of similar length, in a new random order in each epoch."""

    def __init__(self, lengths, batch_size, generator):
        ### BEGIN SOLUTION
        order = sorted(range(len(lengths)), key=lambda i: lengths[i])
        starts = range(0, len(order), batch_size)
        self.batches = [order[start : start + batch_size] for start in starts]
        self.generator = generator
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return len(self.batches)
        ### END SOLUTION

    def __iter__(self):
        ### BEGIN SOLUTION
        for i in torch.randperm(len(self.batches), generator=self.generator).tolist():
            yield self.batches[i]
        ### END SOLUTION


# %% 08.5
def own_numbers(worker_id):
    """Give this worker's copy of the data set its own random numbers."""
    ### BEGIN SOLUTION
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed)
    ### END SOLUTION
