"""Apple's GPUs."""

from __future__ import annotations

import edutorch.backends.mps as mps


def test_apples_gpus_are_absent():
    assert not mps.is_available()
    assert not mps.is_built()
    assert not mps.is_macos_or_newer(13, 0)
