"""Switches of the process."""

from __future__ import annotations

import pytest

from edutorch import config


def test_kernels_is_a_block_that_restores():
    before = config.kernel_mode()
    with config.kernels("plain"):
        assert config.kernel_mode() == "plain"
    assert config.kernel_mode() == before


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="expects one of"), config.kernels("warp"):
        pass
