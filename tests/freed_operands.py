"""What a failed operation leaves alive."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import edutorch as torch

__all__ = ["freed_after"]


def freed_after(fails: Callable[[Any], Any]) -> bool:
    """Whether operands of a failed operation are freed without the collector."""
    x = torch.ones(3, 4, requires_grad=True)
    y = x * 2
    held = [weakref.ref(x), weakref.ref(y)]
    gc.disable()
    try:
        with contextlib.suppress(RuntimeError, TypeError, IndexError):
            fails(y)
            pytest.fail("nothing was raised")
        del x, y
        return [ref() for ref in held] == [None, None]
    finally:
        gc.enable()
