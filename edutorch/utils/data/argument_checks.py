"""Checks of a DataLoader's arguments."""

from __future__ import annotations

import multiprocessing
import warnings
from multiprocessing.context import BaseContext
from typing import Any

from ...backends.threads import processor_count

__all__ = [
    "check_context",
    "check_order",
    "check_iterable_options",
    "check_workers",
    "warn_many",
]


def check_workers(n: int, timeout: float, prefetch: Any, persistent: bool) -> None:
    """Refuse options of worker processes if there are no workers."""
    if n < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if n == 0 and prefetch is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let "
            "num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor "
            "to None."
        )
    if prefetch is not None and prefetch < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and n == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def check_iterable_options(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    """Refuse samplers and shuffling of iterable data sets."""
    given = {"shuffle": shuffle, "sampler": sampler, "batch_sampler": batch_sampler}
    for name, value in given.items():
        if value if name == "shuffle" else value is not None:
            raise ValueError(
                "DataLoader with IterableDataset: expected unspecified "
                f"{name} option, but got {name}={value}"
            )


def check_order(
    batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Refuse contradictory samplers, shuffling and batch sizes."""
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, "
                "sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive "
            "with drop_last"
        )


def check_context(context: Any, n: int) -> BaseContext | None:
    """The way in which processes are started: "fork", "spawn" ... or a context."""
    if context is None:
        return None
    if n == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading "
            f"(num_workers > 0), but got num_workers={n}"
        )
    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(
                "multiprocessing_context option should specify a valid start method "
                f"in {methods!r}, but got multiprocessing_context={context!r}"
            )
        context = multiprocessing.get_context(context)
    if not isinstance(context, BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a "
            "string specifying the start method, but got "
            f"multiprocessing_context={context}"
        )
    return context


def warn_many(n: int) -> None:
    """Warn of more worker processes than there are processors."""
    processors = processor_count()
    if n <= processors:
        return
    warnings.warn(
        f"This DataLoader will create {n} worker processes in total. Our suggested max "
        f"number of worker in current system is {processors}, which is smaller than "
        "what this DataLoader is going to create. Please be aware that excessive "
        "worker creation might get DataLoader running slow or even freeze, lower the "
        "worker number to avoid potential slowness/freeze if necessary.",
        stacklevel=3,
    )
