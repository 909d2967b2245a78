"""Hooks that are not saved."""

from __future__ import annotations

import io
import warnings

import pytest

import edutorch as torch
from edutorch.utils.hooks import unserializable_hook, warn_if_has_hooks


def test_hooks_are_warned_of_unless_they_say_so():
    loud, quiet = (torch.ones(1, requires_grad=True) for _ in range(2))
    loud.register_hook(lambda g: g)
    quiet.register_hook(unserializable_hook(lambda g: g))
    with pytest.warns(UserWarning, match="will not be serialized"):
        warn_if_has_hooks(loud)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.save(quiet, io.BytesIO())
