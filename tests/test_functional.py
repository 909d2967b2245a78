"""`torch.functional`."""

from __future__ import annotations

import edutorch
from edutorch import functional


def test_functions_are_those_of_the_library():
    for name in functional.__all__:
        assert getattr(functional, name) is getattr(edutorch, name), name
