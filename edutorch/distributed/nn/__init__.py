"""Collectives with gradients, as parts of a model that several ranks compute.

- `functional.py`: all_reduce, broadcast, all_gather, all_to_all ...
"""

from . import functional
from .functional import (
    all_gather,
    all_reduce,
    all_to_all,
    all_to_all_single,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scatter,
)

__all__ = [
    "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast",
    "functional", "gather", "reduce", "reduce_scatter", "scatter",
]  # fmt: skip
