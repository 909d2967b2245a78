"""The replacement for the package `functorch`."""

from __future__ import annotations

import importlib
import sys

import edutorch
from edutorch import func, functorch


def test_transforms_are_those_of_func():
    for name in ("grad", "vmap", "vjp", "jvp", "jacrev", "jacfwd", "hessian"):
        assert getattr(functorch, name) is getattr(func, name)
    assert edutorch.functorch is functorch
    assert functorch.einops.rearrange is func.rearrange


def test_programs_that_import_functorch_can_be_given_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "functorch", functorch)
    monkeypatch.setitem(sys.modules, "functorch.einops", functorch.einops)
    found = importlib.import_module("functorch")
    assert found.make_functional_with_buffers
    assert importlib.import_module("functorch.einops").rearrange
