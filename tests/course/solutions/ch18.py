# %% imports
from scipy import signal

import edutorch as torch


# %% 18.1
def scatter(x, count):
    """Parts of the batch, one for each replica; the last may be shorter."""
    ### BEGIN SOLUTION
    size = -(-len(x) // count)
    return [x[i : i + size] for i in range(0, len(x), size)]
    ### END SOLUTION


# %% 18.2
def reduce_gradients(gradients, rows):
    """The gradient of the mean over all rows, from those of the parts' means."""
    ### BEGIN SOLUTION
    total = torch.zeros_like(gradients[0])
    for gradient, count in zip(gradients, rows, strict=True):
        total = total + gradient * count
    return total / sum(rows)
    ### END SOLUTION


# %% 18.3
def ring_all_reduce(values):
    """The table of numbers, rank by chunk, after each step of the ring."""
    ### BEGIN SOLUTION
    n, tables = len(values), []
    table = [list(row) for row in values]
    for step in range(2 * (n - 1)):
        before = [list(row) for row in table]
        for rank in range(n):
            to = (rank + 1) % n
            if step < n - 1:
                chunk = (rank - step) % n
                table[to][chunk] += before[rank][chunk]
            else:
                chunk = (rank + n - step) % n
                table[to][chunk] = before[rank][chunk]
        tables.append([list(row) for row in table])
    return tables
    ### END SOLUTION


# %% 18.4
def batch_statistics(parts):
    """Mean and variance of each column over all parts, which stay where they are."""
    ### BEGIN SOLUTION
    rows = sum(len(part) for part in parts)
    mean = sum(part.sum(dim=0) for part in parts) / rows
    var = sum(((part - mean) ** 2).sum(dim=0) for part in parts) / rows
    return mean, var
    ### END SOLUTION


# %% 18.5
class Correlate(torch.autograd.Function):
    """y[i] = sum of x[i + k] w[k], for all places where w fits; with SciPy."""

    @staticmethod
    def forward(ctx, x, w):
        ### BEGIN SOLUTION
        ctx.save_for_backward(x, w)
        y = signal.correlate(x.detach().numpy(), w.detach().numpy(), mode="valid")
        return torch.from_numpy(y)
        ### END SOLUTION

    @staticmethod
    def backward(ctx, g):
        ### BEGIN SOLUTION
        x, w = (t.detach().numpy() for t in ctx.saved_tensors)
        g = g.detach().numpy()
        dx = signal.convolve(g, w, mode="full")
        dw = signal.correlate(x, g, mode="valid")
        return torch.from_numpy(dx), torch.from_numpy(dw)
        ### END SOLUTION


# %% 18.6
def buckets(nbytes, limit):
    """For each parameter, the number of the bucket that its gradient travels in."""
    ### BEGIN SOLUTION
    numbers, bucket, held = [0] * len(nbytes), 0, 0
    for i in reversed(range(len(nbytes))):
        if held > 0 and held + nbytes[i] > limit:
            bucket, held = bucket + 1, 0
        numbers[i] = bucket
        held += nbytes[i]
    return numbers
    ### END SOLUTION


# %% 18.7
def rank_rows(n, count, rank, epoch, drop_last):
    """The rows that one of some ranks gets in an epoch."""
    ### BEGIN SOLUTION
    order = list(range(n))
    if epoch is not None:
        generator = torch.Generator().manual_seed(epoch)
        order = torch.randperm(n, generator=generator).tolist()
    total = n // count * count if drop_last else -(-n // count) * count
    return [order[i % n] for i in range(rank, total, count)]
    ### END SOLUTION


# %% 18.8
def butterfly_all_reduce(values):
    """The lists of all ranks, after each step of the butterfly."""
    ### BEGIN SOLUTION
    table, tables, distance = values, [], 1
    while distance < len(values):
        old, table = table, []
        for rank, row in enumerate(old):
            other = old[rank ^ distance]
            table.append([a + b for a, b in zip(row, other, strict=True)])
        tables.append(table)
        distance *= 2
    return tables
    ### END SOLUTION
