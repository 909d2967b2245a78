"""What the first subclass of Tensor changes in the public modules, undone for others.

The public functions stay behind `Overridable` once a program has made a subclass, or a
masked or nested tensor. Tests of other files shall see them as they are.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["functions_restored"]


@contextmanager
def functions_restored() -> Iterator[None]:
    """Put the public functions back as they were before the block."""
    overrides = importlib.import_module("edutorch.overrides")
    before = overrides._installed
    spaces = [importlib.import_module("edutorch" + n) for n in overrides.NAMESPACES]
    names = [dict(vars(space)) for space in spaces]
    try:
        yield
    finally:
        if overrides._installed and not before:
            for space, own in zip(spaces, names, strict=True):
                vars(space).update(own)
            overrides._installed = before
