"""Sorting, distinct values, counts and histograms.

- `ordering.py`: sort, argsort, topk, kthvalue. `quantiles.py`: quantile.
- `unique_bins.py`: unique, bincount, searchsorted, bucketize.
- `histograms.py`: histc, histogram.
"""

from . import histograms, ordering, quantiles, unique_bins
from .histograms import *
from .ordering import *
from .quantiles import *
from .unique_bins import *

__all__ = (
    unique_bins.__all__ + histograms.__all__ + ordering.__all__ + quantiles.__all__
)
