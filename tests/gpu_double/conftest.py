"""The GPU of these tests: a real one if there is one, else the stand-in."""

from __future__ import annotations

import importlib

import pytest

from edutorch.backends.cupy_gpu import find_gpus


@pytest.fixture
def cuda():
    """CuPy's module, or its substitute, while it serves "cuda"."""
    pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")
    found = find_gpus()
    if found is not None:
        yield found.xp
        return
    with importlib.import_module("tests.gpu_double.install").stand_in() as stands:
        yield stands
