"""Chapter 18: several devices and processes, and custom operations."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch18_ranks import butterfly_all_reduce, rank_rows
from .ch18_replicas import batch_statistics, reduce_gradients, scatter
from .ch18_ring import buckets, ring_all_reduce
from .ch18_signal import grade_correlate

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "18.1",
        "scatter a batch",
        1,
        (
            "How many rows does the longest part have? 10 rows for 4 replicas: 3.",
            "-(-len(x) // count) rounds up. Then cut from 0 on, in steps of that size.",
            "[x[i : i + size] for i in range(0, len(x), size)].",
        ),
        scatter,
    ),
    Exercise(
        "18.2",
        "reduce gradients of uneven parts",
        1,
        (
            "How do you get from a mean over n rows back to their sum?",
            (
                "Add up gradient times rows over all parts. How many rows are there "
                "in total?"
            ),
            "sum(g * n for g, n in zip(gradients, rows)) / sum(rows).",
        ),
        reduce_gradients,
    ),
    Exercise(
        "18.3",
        "a ring's all-reduce",
        2,
        (
            "Copy the table before each step: all ranks send what they had before it.",
            (
                "For each step, for each rank: which chunk does it send, and is it "
                "added at rank (r + 1) % n, or put there?"
            ),
            (
                "Adding: chunk = (rank - step) % n; table[to][chunk] += "
                "before[rank][chunk]. Later, with step from 0 again: chunk = "
                "(rank + 1 - step) % n, and = in place of +=."
            ),
        ),
        ring_all_reduce,
    ),
    Exercise(
        "18.4",
        "statistics over all parts",
        2,
        (
            "Which numbers of a part can be added up with those of the others?",
            "Sums and counts can, means and variances cannot. First the mean of all.",
            (
                "rows = sum(len(p) ...); mean = sum(p.sum(dim=0) ...) / rows; "
                "var = sum(((p - mean) ** 2).sum(dim=0) ...) / rows."
            ),
        ),
        batch_statistics,
    ),
    Exercise(
        "18.5",
        "a Function from SciPy",
        2,
        (
            (
                "forward keeps x and w: ctx.save_for_backward(x, w). SciPy needs "
                "NumPy arrays."
            ),
            (
                "x[j] is in y[i] with the factor w[j - i], and w[k] with the "
                "factor x[i + k]. Multiply by g[i], and sum over i."
            ),
            (
                'dx = signal.convolve(g, w, mode="full"), and '
                'dw = signal.correlate(x, g, mode="valid").'
            ),
        ),
        grade_correlate,
    ),
    Exercise(
        "18.6",
        "buckets",
        1,
        (
            "Which gradient is ready first in backward? Go in that order.",
            "Keep two numbers: the bucket, and how many bytes are in it.",
            (
                "for i in reversed(range(len(nbytes))): if held > 0 and held + "
                "nbytes[i] > limit: bucket, held = bucket + 1, 0; then put i in it."
            ),
        ),
        buckets,
    ),
    Exercise(
        "18.7",
        "the rows of a rank",
        1,
        (
            "First the order of all rows, then its length, and last this rank's part.",
            (
                "All ranks together have total rows: n rounded down to a multiple of "
                "count, or up. The order goes on from its beginning: row number i is "
                "order[i % n]."
            ),
            (
                "With an epoch, order = torch.randperm(n, generator=torch.Generator()"
                ".manual_seed(epoch)).tolist(). total = -(-n // count) * count, or "
                "n // count * count with drop_last; then [order[i % n] for i in "
                "range(rank, total, count)]."
            ),
        ),
        rank_rows,
    ),
    Exercise(
        "18.8",
        "a butterfly's all-reduce",
        2,
        (
            "Write down the partners of 4 ranks: 0-1 and 2-3 first, then 0-2 and 1-3.",
            (
                "In Python r ^ 2**s is the partner. All send what they had before the "
                "step: compute a new table from the old one."
            ),
            (
                "table = [[a + b for a, b in zip(table[r], table[r ^ distance])] for r "
                "in range(n)], with distance = 1 at first; append it; distance *= 2."
            ),
        ),
        butterfly_all_reduce,
    ),
)
